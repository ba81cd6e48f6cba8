/** Files of an export that its PDF can carry. */
export const embeddableFiles = ["OEX", "OBX"] as const;
export type EmbeddableFile = (typeof embeddableFiles)[number];
