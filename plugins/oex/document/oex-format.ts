/** Order or quotation. */
export const documentTypes = ["ORDERS", "QUOTES"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Versions of the format (OEX reference, section 16). */
export const oexVersions = ["3.1", "3.0", "2.3"] as const;
export type OexVersion = (typeof oexVersions)[number];

/** The six combinations differ in names and in available elements. */
export interface OexFormat {
  type: DocumentType;
  version: OexVersion;
}
