/** The six formats of OEX documents (OEX reference, sections 3 and 16). */

export const documentTypes = ["ORDERS", "QUOTES"] as const;
export const oexVersions = ["3.1", "3.0", "2.3"] as const;

export interface OexFormat {
  type: (typeof documentTypes)[number];
  version: (typeof oexVersions)[number];
}

export const formats: readonly OexFormat[] = documentTypes.flatMap((type) =>
  oexVersions.map((version) => ({ type, version })),
);
