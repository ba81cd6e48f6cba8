/** Basket columns: ids of built-in columns, and access to an item's fields. */
import { ownMember } from "../schema/own-member.js";
import type { Item, ProjectDocument } from "./document.js";

/** Ids of built-in columns, used by clients. */
export const builtInColumns = {
  articleImage: "73bd68f4-da62-11d8-b9d6-00e081513ada",
  generatedImage: "6a66160c-da62-11d8-b9d6-00e081513ada",
  catalogImage: "9c9ea8ea-20ce-11d7-9c21-00e029099a4b",
  userImage: "cc080d73-88f4-4bfc-8ec1-e7e2ad30739a",
  externalItemNumber: "c962203c-7e83-4a2f-8060-acaa4a06c921",
  comments: "c0a44351-9974-4708-a344-90cafc3a42cd",
} as const;

/** "Additional Image 1" to "10": the default of `imageColumns`. */
export const additionalImageColumns: readonly string[] = [
  "7423b6f0-d424-48b3-b75c-9fc5c61992c1",
  "a3cc0a92-9b7c-4d51-a893-796a5adca350",
  "85d7d0a1-6fe6-4c83-ac6d-3c225038f325",
  "66dce599-d33f-481b-94aa-1caac4cd1a4a",
  "070a5251-d7c4-4ada-a086-06c1a625d215",
  "43ad12e0-f290-4290-9968-5efb466d8939",
  "6d5c4f9f-e560-4601-a254-94c10e5b9ed5",
  "35e71612-ecba-4d52-b2d0-55cee65748ba",
  "93f7b14b-7379-4b58-a620-0562abba35a6",
  "e39c215c-c463-4ca8-8e59-cc63f6c1538b",
];

const builtInFallbacks: ReadonlyMap<string, string> = new Map([
  [builtInColumns.userImage, builtInColumns.articleImage],
]);

const maximumFallbacks = 20;

/** A field's text and its column. */
export interface FieldValue {
  /** The text of the field, not empty; for a picture, the key of an asset. */
  value: string;
  /** The column with the value: the requested one, or one of its fallbacks. */
  columnId: string;
}

/**
 * The value of an item in a column, or in the first non-empty fallback column. Projects have column ids in lower case.
 */
export function fieldValue(project: ProjectDocument, item: Item, columnId: string): FieldValue | undefined {
  let column: string | undefined = columnId.toLowerCase();
  for (let step = 0; column !== undefined && step < maximumFallbacks; step++) {
    const value = ownMember(item.fields, column);
    if (value !== undefined && value.trim() !== "") return { value, columnId: column };
    column = fallbackColumn(project, column);
  }
  return undefined;
}

const fallbacks = new WeakMap<ProjectDocument, ReadonlyMap<string, string>>();

/** Cached per project, because it is looked up for every column of every item. */
function fallbackColumn(project: ProjectDocument, columnId: string): string | undefined {
  const known = fallbacks.get(project) ?? fallbackColumns(project);
  fallbacks.set(project, known);
  return known.get(columnId);
}

function fallbackColumns({ columns }: ProjectDocument): Map<string, string> {
  const own = (columns ?? []).flatMap(({ id, fallbackColumnId }): [string, string][] =>
    fallbackColumnId === undefined ? [] : [[id.toLowerCase(), fallbackColumnId.toLowerCase()]],
  );
  return new Map([...builtInFallbacks, ...own]);
}
