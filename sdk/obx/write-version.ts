/** Element `versionInfo`: who wrote the file. */
import type { XmlWriter } from "../xml/xml-writer.js";

/** Version of the basket XML that these files follow. */
const basketXmlVersion = "1.8.10";

/** Writes `versionInfo`: who wrote the file, and in which version of the format. */
export function writeVersion(writer: XmlWriter): void {
  writer.element("versionInfo", "", {
    vendorKey: "Slipway",
    appKey: "Slipway",
    appVersion: "1",
    bskXmlVersion: basketXmlVersion,
  });
}
