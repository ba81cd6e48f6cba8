/** Ids for things that a file leaves without one: the same file always gives the same ids. */
import { createHash } from "node:crypto";
import type { ProjectDocument, View } from "../../project/document.js";

/** A UUID (version 8, RFC 9562) made from a name. */
export function stableId(name: string): string {
  const bytes = createHash("sha256").update(name, "utf8").digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

// Ids of the folder around all items, in the basket and in each view; a project document rarely states them.

/** Its default id in the basket. */
export function usualTopFolderId(projectId: string): string {
  return stableId(`topFolder/${projectId}`);
}

/** Its default id in a view. */
export function usualTopItemId(projectId: string, viewId: string): string {
  return stableId(`topFolder/${projectId}/${viewId}`);
}

/** Its id in the basket. */
export function topFolderId({ id, topFolderId }: ProjectDocument): string {
  return topFolderId ?? usualTopFolderId(id);
}

/** Its id in a view. */
export function topItemId({ id }: ProjectDocument, view: View): string {
  return view.topItemId ?? usualTopItemId(id, view.id);
}
