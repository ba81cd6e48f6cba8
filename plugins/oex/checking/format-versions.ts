/** How a document declares its format (OEX reference, section 3). */
import { documentTypes, type OexFormat, type OexVersion, oexVersions } from "../document/oex-document.js";
import type { DocumentElement } from "./document-element.js";

/** `aMajor` and `aMinor` of `vDocumentType`. `aBuild` is always "0"; `oexDocFrame` has the same `aMajor`. */
export const versionNumbers: Readonly<Record<OexVersion, { major: string; minor: string }>> = {
  "3.1": { major: "3", minor: "1" },
  "3.0": { major: "3", minor: "0" },
  "2.3": { major: "2", minor: "3" },
};

/** File name of the schema, which the root refers to. */
export function schemaName({ type, version }: OexFormat): string {
  return `oex-${type.toLowerCase()}_${version}.0.xsd`;
}

/** All six formats. */
export const formats: readonly OexFormat[] = documentTypes.flatMap((type) =>
  oexVersions.map((version) => ({ type, version })),
);

/** The format that `vDocumentType` declares; undefined if it is not one of the six. */
export function formatOf(documentType: DocumentElement): OexFormat | undefined {
  const { aMajor, aMinor } = documentType.attributes;
  return formats.find(({ type, version }) => {
    const { major, minor } = versionNumbers[version];
    return documentType.text === type && aMajor === major && aMinor === minor;
  });
}
