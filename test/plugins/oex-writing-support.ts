/**
 * Descriptions of OEX documents in which everything occurs that their format has. Uses the part itself, for the types of
 * what its writer takes.
 */
import type { OexDocument } from "../../plugins/oex/document/oex-document.js";
import type { OexFormat } from "./oex-formats.js";
import { richHeader } from "./oex-rich-header.js";
import { richItems } from "./oex-rich-items.js";

/** A document that keeps to all rules; its prices are those of the OEX reference, section 15.6. */
export function richDocument(format: OexFormat): OexDocument {
  const items = richItems(format);
  return {
    format,
    application: { name: "Slipway & Söhne", major: "1", minor: "12" },
    header: richHeader(format),
    itemCount: items.length,
    items,
  };
}
