/** OBX: the exchange file for articles, whole or, for one article, as part of another document. */

import { allSteps } from "../../pricing/steps.js";
import type { PositionItem, ProjectDocument } from "../../project/document.js";
import { StreamingXmlWriter } from "../xml/streaming-xml-writer.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { type ObxOptions, onlyItem, selectItems } from "./select-items.js";
import { startWriting, type WriteContext, writeVersion } from "./write-context.js";
import { itemSteps } from "./write-items.js";

/** Approximate number of characters per chunk. */
const chunkLength = 65_536;

/**
 * Writes the items of a project as an OBX. Header, settings, views, conditions and pictures are not part of
 * such a file; prices are list prices.
 *
 * `readObx` returns the same items, except for data that the format cannot represent: properties and planning
 * data of articles, price quantities, empty texts, and the names of manufacturers and series that no item
 * has.
 */
export function writeObx(project: ProjectDocument, options: ObxOptions = {}): string {
  return [...streamObx(project, options)].join("");
}

/**
 * The text of `writeObx` in chunks of about 64 KB, produced on demand: memory does not grow with the project.
 */
export function* streamObx(project: ProjectDocument, options: ObxOptions = {}): Generator<string> {
  const writer = new StreamingXmlWriter({ declaration: true, pretty: true });
  const steps = obxSteps(writer, project, options);
  while (!steps.next().done) if (writer.length >= chunkLength) yield writer.take();
  yield `${writer.take()}\n`;
}

/** Like `writeObx`, using the given writer. */
export function writeObxInto(writer: XmlWriter, project: ProjectDocument, options: ObxOptions = {}): void {
  allSteps(obxSteps(writer, project, options));
}

function obxSteps(writer: XmlWriter, project: ProjectDocument, options: ObxOptions): Generator<undefined> {
  const context = startWriting(project, selectItems(project.items, options), {
    listPricesOnly: options.listPricesOnly ?? false,
  });
  return cutBufferSteps(writer, context, project.items);
}

/** The OBX root element around `items`. */
function* cutBufferSteps(
  writer: XmlWriter,
  context: WriteContext,
  items: ProjectDocument["items"],
): Generator<undefined> {
  writer.open("cutBuffer");
  writeVersion(writer);
  writer.open("items");
  yield* itemSteps(new KeepingXmlWriter(writer), items, context);
  writer.close();
  writer.close();
}

/**
 * An article with its sub-articles as a whole OBX without XML declaration, in one line, for embedding (OEX reference,
 * section 14). Quantities are not written and so count as 1; prices, alternative marks, and descriptions that a user
 * gave an article are left out. A user article keeps its descriptions: it has no others. The text has no CDATA section
 * and no `]]>`, so that it can be in one.
 */
export function writeObxArticle(project: ProjectDocument, item: PositionItem): string {
  const writer = new StreamingXmlWriter();
  allSteps(
    cutBufferSteps(
      writer,
      startWriting(project, onlyItem(item), { asFragment: true, listPricesOnly: true }),
      [item],
    ),
  );
  return writer.take();
}
