/** Where a project uses a picture, for messages about one that cannot be shown. */
import type { Suppression } from "../schema/errors.js";
import { articleNumbers } from "./descriptions.js";
import type { Item, ProjectDocument } from "./document.js";
import { isPosition, walkItems } from "./item-tree.js";

/** The items that refer to an asset. */
export interface PicturePlaces {
  /** The first of them in document order; undefined if no item refers to the asset. */
  first: Item | undefined;
  /** A sentence with a blank before it, such as ` It belongs to article "A-1" and 2 others.`; empty if there is no item. */
  text: string;
}

interface Uses {
  first: Item;
  count: number;
}

const known = new WeakMap<ProjectDocument, ReadonlyMap<string, Uses>>();

/** Cached per document, so the document must not change afterwards. */
export function picturePlaces(project: ProjectDocument, key: string): PicturePlaces {
  const all = known.get(project) ?? usesByAsset(project);
  known.set(project, all);
  const uses = all.get(key);
  if (uses === undefined) return { first: undefined, text: "" };
  const { first, count } = uses;
  const others = ["", " and 1 other"][count - 1] ?? ` and ${count - 1} others`;
  return { first, text: ` It belongs to ${nameOf(first)}${others}.` };
}

/** The `item-image-error` of a picture that is left out; `reason` continues "it is left out:", without a full stop. */
export function pictureLeftOut(project: ProjectDocument, key: string, reason: string): Suppression {
  const { first, text } = picturePlaces(project, key);
  return {
    id: "item-image-error",
    message: `The picture "${key}" was left out: ${reason}.${text}`,
    additionalInformation: { asset: key, ...(first !== undefined && { itemId: first.id }) },
  };
}

function usesByAsset({ items, assets = {} }: ProjectDocument): Map<string, Uses> {
  const all = new Map<string, Uses>();
  for (const item of walkItems(items)) {
    const tagged = isPosition(item) ? (item.images ?? []).map(({ asset }) => asset) : [];
    for (const key of new Set([...tagged, ...Object.values(item.fields ?? {})])) {
      if (!Object.hasOwn(assets, key)) continue;
      const uses = all.get(key);
      if (uses === undefined) all.set(key, { first: item, count: 1 });
      else uses.count += 1;
    }
  }
  return all;
}

function nameOf(item: Item): string {
  const number = isPosition(item) ? articleNumbers(item).shown : "";
  return number === "" ? `item ${item.id}` : `article "${number}"`;
}
