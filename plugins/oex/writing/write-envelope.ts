/** What stands around the items (OEX reference, section 3). */
import type { XmlWriter } from "@slipway/sdk";
import type { OexDocument } from "../document/oex-document.js";
import { checkHeader } from "./format-limits.js";
import { formatNames } from "./format-names.js";
import { demanded, writeValue } from "./values.js";
import { writeHeader } from "./write-header.js";

/** The element whose last children are the items. */
export const documentElement = "oexDocument";

const schemaInstances = "http://www.w3.org/2001/XMLSchema-instance";

/** All that stands before the items; the elements around them are still open. */
export function beginDocument(writer: XmlWriter, document: OexDocument): void {
  const { format, application, header, itemCount } = document;
  const names = formatNames(format);
  checkHeader(header, format);
  writer.open("oexDocFrame", {
    aMajor: names.major,
    "xmlns:xsi": schemaInstances,
    "xsi:noNamespaceSchemaLocation": names.schema,
  });
  writer.open("oexApplication");
  writeValue(writer, "vAppName", application.name);
  writer.open("eAppVersion", {
    aMajor: demanded("eAppVersion/@aMajor", application.major),
    aMinor: demanded("eAppVersion/@aMinor", application.minor),
  });
  writer.close();
  writer.close();
  writer.open("oexFile", { aDocumentCount: 1 });
  writer.element("vDocumentType", format.type, { aMajor: names.major, aMinor: names.minor, aBuild: 0 });
  writer.open(documentElement, { aDocNo: 1, aItemCount: itemCount, aAction: "C" });
  writeHeader(writer, names, header);
}

/** Ends what `beginDocument` left open. */
export function endDocument(writer: XmlWriter): void {
  for (let open = 0; open < 3; open += 1) writer.close();
}
