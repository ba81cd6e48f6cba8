import { present } from "../../formats/obx/present.js";
import { builtInColumns } from "../../project/columns.js";
import type {
  ArticleItem,
  ConditionRecord,
  CustomText,
  Descriptions,
  Feature,
  Item,
  ProductPrice,
  Quantity,
  Texts,
} from "../../project/document.js";
import {
  DescribedPictures,
  describedTexts,
  id,
  type PriceDescription,
  type TextDescription,
} from "./described-values.js";
import type {
  AnyItem,
  AnyPosition,
  ArticleDescription,
  FeatureDescription,
  ItemDescription,
  SetDescription,
  UserArticleDescription,
} from "./project-description.js";

/** The position of an item in the tree. */
interface Place {
  mainArticleId?: string;
  setArticleId?: string;
}

/** Builds the items of a described project and collects the project data that they require. */
export class DescribedItems {
  readonly pictures = new DescribedPictures();
  readonly conditions: ConditionRecord[] = [];
  /** Series ids by manufacturer id. */
  readonly series = new Map<string, Set<string>>();
  private readonly taken: ReadonlySet<number>;
  private lastNumber = 0;

  constructor(
    descriptions: readonly ItemDescription[],
    private readonly language: string,
    private readonly currency: string,
  ) {
    this.taken = new Set(givenNumbers(descriptions));
  }

  /** In the order of the descriptions. */
  items(descriptions: readonly ItemDescription[], place: Place = {}): Item[] {
    return descriptions.map((description) => this.item(description, place));
  }

  private item(description: ItemDescription, place: Place): Item {
    if ("article" in description) return this.article(description, place);
    if ("userArticle" in description) return this.userArticle(description);
    if ("set" in description) return this.set(description);
    const longText = this.optionalTexts(description.longText);
    if ("note" in description) {
      const base = {
        type: "text",
        ...this.itemBase(description),
        text: this.texts(description.note),
      } as const;
      return { ...present({ ...base, longText }), ...description.more };
    }
    const { folder, items, subtotal: showSubTotal } = description;
    const base = { type: "folder", ...this.itemBase(description), name: this.texts(folder) } as const;
    return {
      ...present({ ...base, longText, showSubTotal }),
      children: this.items(items),
      ...description.more,
    };
  }

  private article(description: ArticleDescription, place: Place): ArticleItem {
    const { manufacturer = "MF", series = "S1", features = {}, finalNumber, parts } = description;
    const base = this.position(description);
    const known = this.series.get(manufacturer) ?? new Set();
    this.series.set(manufacturer, known.add(series));
    this.discount(base.id, 20, description.purchaseDiscount);
    this.discount(base.id, 210, description.discount);
    return {
      type: "article",
      ...base,
      ...place,
      articleKind: "article",
      manufacturerId: manufacturer,
      seriesId: series,
      baseArticleNumber: description.article,
      ...present({ finalArticleNumber: finalNumber }),
      useFinalArticleNumber: finalNumber !== undefined,
      productDescription: this.descriptions(description, description.featureText),
      features: Object.entries(features).map(([name, feature]) => this.feature(name, feature)),
      productPrices: this.prices(description),
      ...(parts === undefined ? {} : { children: this.items(parts, { mainArticleId: base.id }) }),
      ...description.more,
    };
  }

  private userArticle(description: UserArticleDescription): Item {
    const { userArticle: articleNumber, manufacturerName, seriesName } = description;
    const base = this.position(description);
    this.discount(base.id, 20, description.purchaseDiscount);
    this.discount(base.id, 210, description.discount);
    return {
      type: "userArticle",
      ...base,
      articleNumber,
      ...present({ manufacturerName, seriesName }),
      userDescription: this.descriptions(description),
      productPrices: this.prices(description),
      ...description.more,
    };
  }

  private set(description: SetDescription): Item {
    const base = this.position(description);
    return {
      type: "setArticle",
      ...base,
      articleNumber: description.set,
      userDescription: this.descriptions(description),
      children: this.items(description.items, { setArticleId: base.id }),
      ...description.more,
    };
  }

  private itemBase({ id: number, externalNumber }: AnyItem) {
    const fields = externalNumber && { [builtInColumns.externalItemNumber]: externalNumber };
    return { id: id(number ?? this.nextNumber()), ...(fields ? { fields } : {}) };
  }

  private position(description: PositionDescription) {
    const { picture, taggedPictures, status, taxCategory, remark, packaging } = description;
    const { fields, ...base } = this.itemBase(description);
    const pictureField = picture && { [builtInColumns.articleImage]: this.pictures.add(picture) };
    const images = Object.entries(taggedPictures ?? {}).map(([tag, bytes]) => ({
      tag,
      asset: this.pictures.add(bytes),
    }));
    return {
      ...base,
      quantity: quantityOf(description),
      ...(fields || pictureField ? { fields: { ...fields, ...pictureField } } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(remark === undefined ? {} : { customTexts: [this.remark(remark)] }),
      ...(taxCategory === undefined ? {} : { taxCategories: { VAT: taxCategory } }),
      ...(packaging === undefined ? {} : { packaging }),
      ...statusMembers(status),
    };
  }

  private remark(text: TextDescription): CustomText {
    return { id: "@add", visible: true, text: this.texts(text) };
  }

  private descriptions({ text, longText }: PositionDescription, featureText?: TextDescription): Descriptions {
    return present({
      shortText: this.optionalTexts(text),
      longText: this.optionalTexts(longText),
      featureText: this.optionalTexts(featureText),
    });
  }

  private feature(name: string, described: TextDescription | FeatureDescription): Feature {
    const {
      label = name,
      text,
      value = "V1",
      visible = true,
    } = isFeature(described) ? described : { text: described };
    return { name, value, nameText: this.texts(label), valueText: this.texts(text), visible };
  }

  private prices({ purchase, sales }: PositionDescription): ProductPrice[] {
    const sides = [["purchase", purchase] as const, ["sales", sales] as const];
    return sides.flatMap(([side, price]) => (price === undefined ? [] : [{ side, base: this.money(price) }]));
  }

  private money(price: PriceDescription): ProductPrice["base"] {
    return typeof price === "string" ? { value: price, currency: this.currency } : price;
  }

  private discount(itemId: string, level: number, percent: string | undefined): void {
    if (percent !== undefined) this.conditions.push({ itemId, ...discountRecord(level, percent) });
  }

  private texts(text: TextDescription): Texts {
    return describedTexts(text, this.language);
  }

  private optionalTexts(text: TextDescription | undefined): Texts | undefined {
    return text === undefined ? undefined : this.texts(text);
  }

  private nextNumber(): number {
    do this.lastNumber++;
    while (this.taken.has(this.lastNumber));
    return this.lastNumber;
  }
}

type PositionDescription = Exclude<ItemDescription, { folder: unknown } | { note: unknown }> & AnyPosition;

/** The record of a percentage discount; a negative one is a surcharge. */
export function discountRecord(level: number, percent: string): ConditionRecord {
  const value = percent.startsWith("-") ? percent.slice(1) : `-${percent}`;
  return { level, counter: 0, amount: { kind: "percentage", value } };
}

function givenNumbers(descriptions: readonly ItemDescription[]): number[] {
  return descriptions.flatMap((each) => {
    const children = "items" in each ? each.items : "parts" in each ? (each.parts ?? []) : [];
    return [...(each.id === undefined ? [] : [each.id]), ...givenNumbers(children)];
  });
}

function quantityOf({ quantity = 1, unit = "C62" }: AnyPosition): Quantity {
  return { value: String(quantity), unit };
}

function statusMembers(status: AnyPosition["status"]) {
  switch (status) {
    case undefined:
      return {};
    case "nonOffer":
      return { nonOffer: true };
    case "nonOrder":
      return { nonOrder: true };
    default:
      return { inactive: [{ kind: status }] };
  }
}

function isFeature(described: TextDescription | FeatureDescription): described is FeatureDescription {
  return typeof described === "object" && "text" in described;
}
