import { Type } from "../schema.js";
import { lineMembers } from "./item.js";
import { closed, decimal, decimalOrNull, flag, listOf, name, oneOf, orNull, text } from "./values.js";

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
  additionalText: text('What somebody added: custom text "@add".'),
  packaging: orNull(Type.Ref("ReportPackaging"), "Size and weight; null where the article states neither."),
  image: orNull(Type.Ref("ReportImage"), "Its picture; null where there is none."),
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
      "userArticle: written by hand. setArticle: a set; its price is that of its parts. composite: has parts with prices of their own.",
    ),
    isPart: flag("Part of a composite or of a set."),
    isPseudo: flag("Structural article without a price of its own; its parts have prices."),
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
