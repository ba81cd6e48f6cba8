/** Ids of the folder around all items, in the basket and in each view; a project document rarely states them. */
import type { ProjectDocument, View } from "../project/document.js";
import { stableId } from "./stable-id.js";

/** Its id in the basket where none is known. */
export function usualTopFolderId(projectId: string): string {
  return stableId(`topFolder/${projectId}`);
}

/** Its id in a view where none is known. */
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
