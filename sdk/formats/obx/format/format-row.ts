/** Rows of the tables of project-files.md, which list how each part of a project file is treated. */

/**
 * `read`: it becomes a member of the project document. `kept`: the project document has it unchanged, and it is
 * written again. `skipped`: the project document does not have it.
 */
export type Treatment = "read" | "kept" | "skipped";

/**
 * Elements; their parts: attributes as `@name`, children by name, text as `text()`, `*` for everything else in the
 * element; their treatment; their place in the project document, or the reason for skipping them. Several names are separated by blanks.
 * An element name has one meaning everywhere.
 */
export type FormatRow = readonly [elements: string, parts: string, treatment: Treatment, note: string];

/** Of what is not computed. */
export const reported = "reported when it could change a price";
