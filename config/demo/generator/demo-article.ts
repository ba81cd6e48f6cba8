/** Builds the articles of the demo project. */
import type { ArticleItem, Feature, ProductPrice, Texts } from "@slipway/sdk";
import { demoId, featureText, inBoth, pictureUri } from "./demo-texts.js";
import { inSeries, type ManufacturerId, type SeriesId } from "./manufacturers.js";
import type { PictureName } from "./pictures/draw-pictures.js";

/** Data of one article; prices are per piece. */
export interface ArticleFacts {
  /** Key of the article within the demo project. */
  key: string;
  series: SeriesId;
  /** Catalogue number, and number after configuration. */
  numbers: [base: string, final: string];
  quantity?: number;
  picture?: PictureName;
  name: [english: string, german: string];
  text: [english: string, german: string];
  features?: Feature[];
  price: string;
  /** The manufacturer's price for the dealer, without variant prices. */
  purchasePrice: string;
  variantPrices?: { name: [english: string, german: string]; price: string; purchasePrice: string }[];
  volume?: string;
  weight?: string;
}

/** An article of one of the fictitious manufacturers; `more` overrides members. */
export function article(facts: ArticleFacts, more: Partial<ArticleItem> = {}): ArticleItem {
  const features = facts.features ?? [];
  const { manufacturerId, currency } = inSeries(facts.series);
  const [baseArticleNumber, finalArticleNumber] = facts.numbers;
  const variantCode = features.map(({ value }) => value).join("  ");
  return {
    type: "article",
    id: demoId(`item/${facts.key}`),
    articleKind: "article",
    manufacturerId,
    seriesId: facts.series,
    distributionRegion: "EU",
    catalogId: catalogOf(manufacturerId),
    baseArticleNumber,
    finalArticleNumber,
    useFinalArticleNumber: true,
    ...(features.length === 0
      ? {}
      : {
          variantCode,
          ofmlVariantCode: features.map(({ name, value }) => `CFG.${name}=${value}`).join(";"),
        }),
    productDescription: {
      shortText: inBoth(...facts.name),
      longText: inBoth(...facts.text),
      ...(features.length === 0 ? {} : { featureText: featureText(features) }),
    },
    descriptionMode: "both",
    features,
    quantity: { value: String(facts.quantity ?? 1), unit: "C62" },
    priceDate: "2026-11-02",
    productPrices: prices(facts, currency),
    updateState: "UpToDate",
    ...(facts.picture === undefined
      ? {}
      : { images: [{ tag: "default", asset: pictureUri(facts.picture) }] }),
    ...packaging(facts),
    ...more,
  };
}

/** Identifier and revision: the first edition of the year. */
function catalogOf(manufacturer: ManufacturerId): string {
  return `${manufacturer.toLowerCase()}-2026.1`;
}

function prices(facts: ArticleFacts, currency: string): ProductPrice[] {
  const components = (side: "price" | "purchasePrice"): ProductPrice["components"] =>
    facts.variantPrices?.map((variant) => ({
      label: label(variant.name),
      amount: { kind: "money", value: variant[side], currency },
    }));
  const price = (side: ProductPrice["side"], field: "price" | "purchasePrice"): ProductPrice => {
    const variants = components(field);
    const base = { value: facts[field], currency };
    return variants === undefined ? { side, base } : { side, base, components: variants };
  };
  return [price("purchase", "purchasePrice"), price("sales", "price")];
}

function label(name: [english: string, german: string]): Texts {
  return inBoth(...name);
}

function packaging({ volume, weight }: ArticleFacts): Pick<ArticleItem, "packaging"> {
  if (volume === undefined || weight === undefined) return {};
  return {
    packaging: {
      volume: { value: volume, unit: "MTQ" },
      netWeight: { value: weight, unit: "KGM" },
      packUnitsPerArticle: 1,
    },
  };
}
