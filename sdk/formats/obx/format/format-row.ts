/** The form of the tables that say what becomes of each part of a project file. */

/**
 * `read`: it becomes a member of the project document. `kept`: the project document holds it as it came, and it is
 * written again. `skipped`: it has no place in the project document.
 */
export type Treatment = "read" | "kept" | "skipped";

/**
 * Elements; their parts: attributes as `@name`, children by name, text as `text()`, `*` for everything else in the
 * element; what becomes of these; where in the project document, or why not. Several names are separated by blanks.
 * Element names mean the same wherever they stand.
 */
export type FormatRow = readonly [elements: string, parts: string, treatment: Treatment, note: string];
