/** The tree of items, as an OBK and an OBX hold it. */
import { ownMember } from "../own-member.js";
import type { Item, PositionItem, ProjectDocument, Text } from "../project/document.js";
import { stableId } from "./stable-id.js";
import { writeAppData } from "./write-app-data.js";
import { writeArticleData, writePrices } from "./write-article.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder, flag } from "./xml-writing.js";

/** What the parts of one writing share: what need not be written twice. */
export interface WriteContext {
  project: ProjectDocument;
  /** Manufacturers, and series as "manufacturer series", whose names are written. */
  named: Set<string>;
  /** Texts of features to the id of the feature that has them. */
  featureTexts: Map<string, string>;
  features: number;
}

/** The state at the beginning of a writing. */
export function startWriting(project: ProjectDocument): WriteContext {
  return { project, named: new Set(), featureTexts: new Map(), features: 0 };
}

/** Appends the items below `parent`. */
export function writeItems(parent: Builder, items: readonly Item[], context: WriteContext): void {
  for (const item of items) writeItem(parent, item, context);
}

/** The id of the folder around all items, which the project document does not have. */
export function topFolderId(project: ProjectDocument): string {
  return stableId(`topFolder/${project.id}`);
}

const itemTypes = {
  article: "BasketArticle",
  aggregate: "BasketAggregate",
  partialPlanning: "BasketPartialPlanning",
  ocd: "BasketOCDArticle",
} as const;

function writeItem(parent: Builder, item: Item, context: WriteContext): void {
  switch (item.type) {
    case "folder": {
      const folder = append(parent, "bskFolder", {
        basketId: item.id,
        showSubTotal: flag(item.showSubTotal),
      });
      writeTexts(folder, "label", item.name);
      writeTexts(folder, "longLabel", item.longText);
      writeFields(folder, item);
      writeAppData(folder, item.appData, item.customTexts);
      writeItems(folder, item.children, context);
      return;
    }
    case "text": {
      const text = append(parent, "bskText", { basketId: item.id });
      writeTexts(text, "label", item.text);
      writeTexts(text, "longLabel", item.longText);
      writeFields(text, item);
      writeAppData(text, item.appData, item.customTexts);
      return;
    }
    case "article": {
      const attributes = {
        itemType: itemTypes[item.articleKind],
        updateState: item.updateState,
        pseudoArticle: flag(item.pseudoArticle),
      };
      writePosition(append(parent, "bskArticle", positionAttributes(item, attributes)), item, context);
      return;
    }
    case "userArticle":
      writePosition(
        append(parent, "usrArticle", positionAttributes(item, { itemType: "UserArticle" })),
        item,
        context,
      );
      return;
    case "setArticle": {
      const attributes = { itemType: "SetArticle", collapsed: flag(item.collapsed) };
      writePosition(append(parent, "setArticle", positionAttributes(item, attributes)), item, context);
      return;
    }
  }
}

function positionAttributes(item: PositionItem, attributes: Record<string, string | undefined>) {
  return {
    basketId: item.id,
    ...attributes,
    discountable: flag(item.discountable),
    nonOfferArticle: flag(item.nonOffer),
    nonOrderArticle: flag(item.nonOrder),
  };
}

function writePosition(element: Builder, item: PositionItem, context: WriteContext): void {
  writeManufacturer(element, item, context);
  writeArticleData(element, item, context);
  append(element, "quantity", {
    count: item.quantity.value,
    unit: item.quantity.unit === "C62" ? undefined : item.quantity.unit,
  });
  if (item.type !== "setArticle") writePrices(element, item.productPrices);
  writeDetails(element, item);
  writeFields(element, item);
  writeAppData(element, item.appData, item.customTexts);
  writeItems(element, item.children ?? [], context);
}

/** Names once per id; a user article has names of its own. */
function writeManufacturer(element: Builder, item: PositionItem, context: WriteContext): void {
  const { manufacturerId, seriesId } = item;
  const own = item.type === "userArticle" ? item : undefined;
  const known = ownMember(context.project.manufacturers, manufacturerId ?? "");
  const once = (key: string, texts: Text[] | undefined): Text[] => {
    if (context.named.has(key)) return [];
    context.named.add(key);
    return texts ?? [];
  };
  const names = own
    ? und(own.manufacturerName)
    : manufacturerId === undefined
      ? []
      : once(manufacturerId, known?.name);
  const series = own
    ? und(own.seriesName)
    : seriesId === undefined
      ? []
      : once(`${manufacturerId} ${seriesId}`, ownMember(known?.series, seriesId));
  if (manufacturerId !== undefined || names.length > 0) {
    writeTexts(append(element, "manufacturer", { id: manufacturerId }), "name", names);
  }
  if (seriesId !== undefined || series.length > 0) {
    writeTexts(append(element, "series", { id: seriesId }), "name", series);
  }
}

function und(text: string | undefined): Text[] {
  return text === undefined ? [] : [{ lang: "und", value: text }];
}

function writeDetails(element: Builder, item: PositionItem): void {
  const taxes = append(element, "taxInfos");
  for (const [type, category] of Object.entries(item.taxCategories ?? {})) {
    append(taxes, "taxInfo", { type, category });
  }
  const infos = append(element, "packInfos");
  for (const [key, value] of Object.entries(item.packaging ?? {})) {
    if (typeof value === "object") append(infos, "packInfo", { key, value: value.value, unit: value.unit });
    else append(infos, "packInfo", { key, value: String(value) });
  }
  if (item.inactive && item.inactive.length > 0) {
    const marks = append(element, "exclOffers");
    for (const { scheme, kind } of item.inactive) {
      append(marks, "exclOffer", { ppName: scheme, optional: flag(kind === "optional") });
    }
  }
  if (item.images && item.images.length > 0) {
    const images = append(element, "images");
    for (const { tag, asset } of item.images) append(images, "image", { tag }, asset);
  }
}

function writeFields(element: Builder, item: Item): void {
  const fields = Object.entries(item.fields ?? {});
  if (fields.length === 0) return;
  const list = append(element, "itemFields");
  for (const [columnId, value] of fields) append(list, "itemField", { columnId }, value);
}
