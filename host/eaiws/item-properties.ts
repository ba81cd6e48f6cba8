/** Everything about single items. */
import {
  articleNumbers,
  chooseText,
  type Descriptions,
  descriptionTexts,
  type Item,
  isPosition,
  manufacturerNames,
  type PositionItem,
  type ProjectDocument,
  present,
  type Static,
  seriesNames,
  Type,
  variantLines,
  visibleFeatures,
} from "@slipway/sdk";
import { attribute, content } from "../soap/soap.js";
import { ItemType, itemType, labelOf } from "./basket-items.js";
import { type BasketNode, idsBelow, setAround } from "./basket-tree.js";
import { closed } from "./soap-operation.js";
import {
  DisplayTexts,
  displayTexts,
  type WireFormat,
  WireMoney,
  WireQuantity,
  wireQuantity,
} from "./wire-values.js";

const Line = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Texts = Type.Optional(DisplayTexts);

const Description = Type.Object({ shortText: Texts, longText: Texts, featureText: Texts }, closed);

/** The price of an item in one procedure. */
export const PriceInfo = Type.Object(
  {
    unitSize: WireQuantity,
    netPrice: Type.Optional(WireMoney),
    netValue: Type.Optional(WireMoney),
    tax: Type.Optional(WireMoney),
    inactive: Type.Boolean(attribute),
    quantity: Type.String(attribute),
  },
  closed,
);
export type PriceInfo = Static<typeof PriceInfo>;

const Packaging = Type.Object(
  {
    width: Type.Optional(WireQuantity),
    height: Type.Optional(WireQuantity),
    depth: Type.Optional(WireQuantity),
    volume: Type.Optional(WireQuantity),
    tareWeight: Type.Optional(WireQuantity),
    netWeight: Type.Optional(WireQuantity),
    itemsPerPackUnit: Type.Optional(Type.Number()),
    packUnitsPerArticle: Type.Optional(Type.Number()),
  },
  closed,
);

const ArticleProperties = Type.Object(
  {
    catalogId: Line,
    manufacturerId: Line,
    manufacturerName: Line,
    seriesId: Line,
    seriesName: Line,
    manufacturer: Line,
    program: Line,
    distributionRegion: Line,
    baseArticleNumber: Line,
    finalArticleNumber: Line,
    variantCode: Line,
    ofmlVariantCode: Line,
    useFinalArticleNumber: Flag,
    shortText: Line,
    longText: Line,
    featureText: Line,
    descriptionMode: Line,
    productDescription: Type.Optional(Description),
    userDescription: Type.Optional(Description),
    purchaseCurrency: Line,
    salesCurrency: Line,
    purchasePrice: Line,
    salesPrice: Line,
    priceDate: Line,
    quantity: Type.String(),
    alternativePosition: Flag,
    excludedCalculations: Type.Optional(Type.Array(Type.String())),
    inactivePositionState: Type.Optional(
      Type.Array(Type.Object({ ppName: Type.String(attribute), optional: Type.Boolean(attribute) }, closed)),
    ),
    inconsistencyFlag: Flag,
    inconsistencyReason: Type.Optional(Type.Array(Type.String())),
    priceInfo: Type.Optional(PriceInfo),
    packagingInfo: Type.Optional(Packaging),
    pseudoArticle: Flag,
    nonOfferArticle: Flag,
    nonOrderArticle: Flag,
    articleClassifications: Type.Optional(
      Type.Object(
        {
          articleClassification: Type.Array(
            Type.Object(
              {
                description: Texts,
                system: Type.String(attribute),
                qualifier: Type.Optional(Type.String(attribute)),
                classId: Type.String(attribute),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    ofmlUpdateState: Line,
    addStateCodes: Type.Optional(
      Type.Array(Type.Object({ value: Type.String(content), domain: Type.String(attribute) }, closed)),
    ),
    discountable: Flag,
  },
  closed,
);

/** One item; which of the members it has depends on its type. */
export const ItemProperties = Type.Object(
  {
    itemId: Type.String(),
    itemType: ItemType,
    visible: Type.Boolean(),
    expanded: Type.Boolean(),
    label: Type.String(),
    setArticleId: Line,
    tmRows: Type.Optional(
      Type.Array(
        Type.Object(
          {
            texts: Type.Array(Type.Object({ text: Type.String(), language: Line, format: Line }, closed)),
            textId: Type.String(),
            readOnly: Type.Boolean(),
            visible: Type.Boolean(),
          },
          closed,
        ),
      ),
    ),
    folder: Type.Optional(
      Type.Object({ name: Line, displayName: Texts, longDisplayText: Texts, showSubTotal: Flag }, closed),
    ),
    article: Type.Optional(ArticleProperties),
    setArticle: Type.Optional(
      Type.Object(
        {
          partIds: Type.Array(Type.String()),
          allPartIds: Type.Array(Type.String()),
          collapsed: Type.Optional(Type.Boolean(attribute)),
        },
        closed,
      ),
    ),
    textItem: Type.Optional(Type.Object({ text: Line, displayText: Texts, longDisplayText: Texts }, closed)),
    positionNumber: Type.Optional(Type.String(attribute)),
  },
  closed,
);
export type ItemProperties = Static<typeof ItemProperties>;

/** What an answer has besides the item itself. */
export interface ItemPropertiesOptions {
  /** Best first. */
  languages: readonly string[];
  textFormat?: WireFormat | undefined;
  positionNumbers?: boolean;
  omitTMRows?: boolean;
  /** Of the item, in the wanted procedure. */
  priceInfo?: PriceInfo | undefined;
}

export function itemProperties(
  project: ProjectDocument,
  node: BasketNode,
  options: ItemPropertiesOptions,
): ItemProperties {
  const { item } = node;
  const { languages, textFormat } = options;
  const chosen = (texts: Parameters<typeof chooseText>[0]) => chooseText(texts, languages).value || undefined;
  return present({
    itemId: node.id,
    itemType: itemType(item),
    visible: true,
    expanded: true,
    label: labelOf(item, languages),
    setArticleId: setAround(node),
    tmRows: options.omitTMRows || item === undefined ? undefined : customRows(item),
    folder:
      item === undefined
        ? {}
        : item.type === "folder"
          ? present({
              name: chosen(item.name),
              displayName: displayTexts(item.name, textFormat),
              longDisplayText: displayTexts(item.longText, textFormat),
              showSubTotal: item.showSubTotal,
            })
          : undefined,
    article:
      item !== undefined && isPosition(item) ? articleProperties(project, node, item, options) : undefined,
    setArticle:
      item?.type === "setArticle"
        ? present({
            partIds: node.children.map(({ id }) => id),
            allPartIds: idsBelow(node),
            collapsed: item.collapsed,
          })
        : undefined,
    textItem:
      item?.type === "text"
        ? present({
            text: chosen(item.text),
            displayText: displayTexts(item.text, textFormat),
            longDisplayText: displayTexts(item.longText, textFormat),
          })
        : undefined,
    positionNumber: options.positionNumbers && node.position !== "" ? node.position : undefined,
  });
}

const updateStates = [
  "Unknown",
  "UpToDate",
  "Updatable",
  "Migratable",
  "Invalid",
  "NoCatalog",
  "MultipleCatalogs",
];

function articleProperties(
  project: ProjectDocument,
  node: BasketNode,
  item: PositionItem,
  { languages, textFormat, priceInfo }: ItemPropertiesOptions,
): NonNullable<ItemProperties["article"]> {
  const chosen = (texts: Parameters<typeof chooseText>[0]) => chooseText(texts, languages).value || undefined;
  const described = (field: keyof Descriptions) => chosen(descriptionTexts(item, field, languages));
  const descriptions = (given: Descriptions | undefined) =>
    given &&
    present({
      shortText: displayTexts(given.shortText, textFormat),
      longText: displayTexts(given.longText, textFormat),
      featureText: displayTexts(given.featureText, textFormat),
    });
  const article = item.type === "article" ? item : undefined;
  const numbers = articleNumbers(item);
  const prices = item.type === "setArticle" ? [] : item.productPrices;
  const purchase = prices.find(({ side }) => side === "purchase")?.base;
  const sales = prices.find(({ side }) => side === "sales")?.base;
  const features = visibleFeatures(item, (texts) => chooseText(texts, languages).value);
  const inactive = item.inactive?.map(({ scheme = "", kind }) => ({
    ppName: scheme,
    optional: kind === "optional",
  }));
  const packed = item.packaging;
  return present({
    catalogId: article?.catalogId,
    manufacturerId: item.manufacturerId,
    manufacturerName: chosen(manufacturerNames(project, item)),
    seriesId: item.seriesId,
    seriesName: chosen(seriesNames(project, item)),
    manufacturer: article?.productData?.manufacturerId,
    program: article?.productData?.programId,
    distributionRegion: article?.distributionRegion,
    baseArticleNumber: numbers.base || undefined,
    finalArticleNumber: numbers.final || undefined,
    variantCode: article?.variantCode,
    ofmlVariantCode: article?.ofmlVariantCode,
    useFinalArticleNumber: article?.useFinalArticleNumber,
    shortText: described("shortText"),
    longText: described("longText"),
    featureText: variantLines(described("featureText") ?? "", features).join("\n") || undefined,
    descriptionMode: item.descriptionMode && capital(item.descriptionMode),
    productDescription: descriptions(article?.productDescription),
    userDescription: descriptions(item.userDescription),
    purchaseCurrency: purchase?.currency,
    salesCurrency: sales?.currency,
    purchasePrice: purchase?.value,
    salesPrice: sales?.value,
    priceDate: article?.priceDate,
    quantity: node.quantity?.value ?? item.quantity.value,
    alternativePosition: inactive?.some(({ ppName, optional }) => ppName === "" && !optional),
    excludedCalculations: inactive?.flatMap(({ ppName }) => (ppName === "" ? [] : [ppName])),
    inactivePositionState: inactive,
    inconsistencyFlag: article?.inconsistency?.flagged,
    inconsistencyReason: article?.inconsistency?.reasons,
    priceInfo,
    packagingInfo:
      packed &&
      present({
        width: wireQuantity(packed.width),
        height: wireQuantity(packed.height),
        depth: wireQuantity(packed.depth),
        volume: wireQuantity(packed.volume),
        tareWeight: wireQuantity(packed.tareWeight),
        netWeight: wireQuantity(packed.netWeight),
        itemsPerPackUnit: packed.itemsPerPackUnit,
        packUnitsPerArticle: packed.packUnitsPerArticle,
      }),
    pseudoArticle: article?.pseudoArticle,
    nonOfferArticle: item.nonOffer,
    nonOrderArticle: item.nonOrder,
    articleClassifications: article?.classifications && {
      articleClassification: article.classifications.map(({ system, version, classId, description }) =>
        present({ description: displayTexts(description), system, qualifier: version, classId }),
      ),
    },
    ofmlUpdateState: updateStates.find(
      (state) => state.toLowerCase() === article?.updateState?.toLowerCase(),
    ),
    addStateCodes: article?.addStateCodes,
    discountable: item.discountable,
  });
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const formats = { plain: "Plain", html: "HTML", iml: "IML", xml: "XML", json: "JSON" } as const;

function customRows(item: Item): NonNullable<ItemProperties["tmRows"]> {
  return (item.customTexts ?? []).map(({ id, visible, text }) => ({
    texts: text.map(({ lang, value, format }) =>
      present({ text: value, language: lang, format: format && formats[format] }),
    ),
    textId: id,
    readOnly: false,
    visible,
  }));
}
