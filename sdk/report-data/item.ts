/** Report lines: folders, texts, and articles with their pictures and packaging. */
import { type Static, Type } from "../schema/schema.js";
import { closed, count, decimal, decimalOrNull, flag, listOf, name, oneOf, orNull, text } from "./values.js";

/** Members of every line. */
const lineMembers = {
  id: text("Id of the line: of the view's item, or of the basket's where no view lists it."),
  basketItemIds: Type.Array(Type.String(), {
    description:
      "Ids of the items in the basket that the line is about; several where the view merges equal ones.",
  }),
  depth: count("Depth in the tree, 0 at the top."),
  position: text('Number of the line, such as "2.1"; empty where the view gives none, as most do for texts.'),
  breakBefore: flag("The request wants a page break before it."),
  breakAfter: flag("The request wants a page break after it, and after what is below it."),
};

/** A folder with its lines. */
export const ReportFolder = Type.Object(
  {
    kind: name("folder", "Tells folders, texts and articles apart."),
    ...lineMembers,
    name: text("Name of the folder."),
    longText: text("What there is to say about it."),
    showSubTotal: flag("The project wants its sub-total to be shown."),
    subTotal: decimal("Net value of what counts in it, before header discounts."),
    children: listOf("ReportItem", "Lines in the folder, in print order."),
  },
  { ...closed, description: "A folder with what is in it." },
);

/** A text between positions. */
export const ReportText = Type.Object(
  {
    kind: name("text", "Tells folders, texts and articles apart."),
    ...lineMembers,
    text: text("The text, or its heading."),
    longText: text("Further text."),
  },
  { ...closed, description: "A text between positions." },
);

/** A line of any kind. */
export const ReportItem = Type.Union([
  Type.Ref("ReportFolder"),
  Type.Ref("ReportText"),
  Type.Ref("ReportArticle"),
]);

const identification = {
  externalReference: text("Text of the column that the request names with externalRefColumn."),
  manufacturerId: text("Short name of the maker, such as three letters."),
  manufacturerName: text("Name of the maker."),
  seriesId: text("Short name of the series."),
  seriesName: text("Name of the series."),
  articleNumber: text("The one of the two numbers that the project shows."),
  baseArticleNumber: text("Number of the article without its configuration."),
  finalArticleNumber: text("Number of the article as it is configured."),
};

const descriptions = {
  shortText: text("What it is, in a line."),
  longText: text("What it is, at length. Plain text with line feeds."),
  variantText: Type.Array(Type.String(), {
    description: 'How it is configured, line by line, such as "Colour: black".',
  }),
  features: Type.Array(
    Type.Object(
      {
        id: text("Symbolic name, the same in every language: compare articles by it."),
        name: text("Name of the feature, such as Colour."),
        value: text("Value of the feature, such as black."),
      },
      closed,
    ),
    { description: "How it is configured, as names and values; only what may be seen." },
  ),
  specialModelInfo: text('What is special about this one: custom text "71".'),
  additionalText: text('Text added by a user: custom text "@add".'),
  packaging: orNull(Type.Ref("ReportPackaging"), "Size and weight; null where the article states neither."),
  image: orNull(Type.Ref("ReportImage"), "Its picture, or null."),
  extraImages: listOf("ReportImage", "Pictures of the request's imageColumns, in their order."),
};

const prices = {
  unitPrice: decimalOrNull("Net price of one before header discounts; null where there is no price."),
  totalPrice: decimalOrNull(
    "Net price of the quantity before header discounts; null where there is no price.",
  ),
  purchaseUnitPrice: decimalOrNull("What it costs to buy one; null where no purchase price is stated."),
  purchaseTotalPrice: decimalOrNull(
    "What it costs to buy the quantity; null where no purchase price is stated.",
  ),
  priceDetails: listOf(
    "ReportPriceDetail",
    "What leads from the list price to the net price; empty where that is one step only.",
  ),
  pseudoCalculationLines: listOf(
    "ReportCalculationLine",
    "Of a pseudo article: the sheets of its parts added up.",
  ),
  calculationLines: listOf(
    "ReportCalculationLine",
    "The whole price sheet; empty unless template.json says calculationLines.",
  ),
};

/** An article, user article, set or composite. */
export const ReportArticle = Type.Object(
  {
    kind: name("article", "Tells folders, texts and articles apart."),
    ...lineMembers,
    articleType: oneOf(
      ["article", "userArticle", "setArticle", "composite"],
      "userArticle: written by hand. setArticle: a set; its price is that of its parts. composite: has parts with separate prices.",
    ),
    isPart: flag("Part of a composite or of a set."),
    isPseudo: flag("Structural article without a price; its parts have prices."),
    collapsed: flag("Of sets: the project shows it without its parts."),
    status: oneOf(
      ["active", "alternative", "optional"],
      "Alternative and optional positions do not count in totals.",
    ),
    quantity: decimal("How many the project needs of it in total."),
    unit: text("UN/ECE code of the quantity's unit; C62 and H87 are pieces."),
    ...identification,
    ...descriptions,
    ...prices,
    children: listOf("ReportItem", "Parts, in print order."),
  },
  { ...closed, description: "An article, user article, set or composite." },
);

const pixels = Type.Integer({ minimum: 1 });

/** A picture of the project. */
export const ReportImage = Type.Object(
  {
    url: text("For d.image. An address that only the report's own browser can load."),
    width: orNull(pixels, "Pixels; null where not known."),
    height: orNull(pixels, "Pixels; null where not known."),
    source: text("Id of the column, or tag, that it comes from."),
  },
  { ...closed, description: "A picture of the project." },
);
/** A picture of the project, with a URL that only the document itself can load. */
export type ReportImage = Static<typeof ReportImage>;

/** Size and weight of an article. */
export const ReportPackaging = Type.Object(
  {
    width: decimalOrNull("Millimetres, of one."),
    height: decimalOrNull("Millimetres, of one."),
    depth: decimalOrNull("Millimetres, of one."),
    volume: decimalOrNull("Cubic metres, of one."),
    netWeight: decimalOrNull("Kilograms, of one."),
    grossWeight: decimalOrNull("Kilograms with packaging, of one."),
    totalVolume: decimalOrNull("Cubic metres, of the quantity of the line."),
    totalNetWeight: decimalOrNull("Kilograms, of the quantity of the line."),
    totalGrossWeight: decimalOrNull("Kilograms with packaging, of the quantity of the line."),
    packages: decimalOrNull("Packages for the quantity of the line, rounded up to whole ones."),
  },
  {
    ...closed,
    description:
      "Size, weight and packages of an article by itself, without its parts. Null where the article does not state it.",
  },
);
/** Size and weight of an article in millimetres, kilograms and cubic metres; null if unknown. */
export type ReportPackaging = Static<typeof ReportPackaging>;
