/** OBX: the exchange file for articles. */
import type { ProjectDocument } from "../project/document.js";
import { allSteps } from "../steps.js";
import { StreamingXmlWriter } from "../xml/streaming-xml-writer.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { type ObxOptions, selectItems } from "./select-items.js";
import { startWriting, type WriteContext, writeVersion } from "./write-context.js";
import { itemSteps } from "./write-items.js";

/** Roughly so many characters are handed over at once. */
const chunkLength = 65_536;

/**
 * The items of a project as an OBX. Header, settings, views, conditions and pictures are not part of such a file;
 * prices are the list prices.
 *
 * `readObx` gives the same items again but for what the format has no place for: properties and planning data of
 * articles, quantities that a price is per, empty texts, and the names of manufacturers and series that no item has.
 */
export function writeObx(project: ProjectDocument, options: ObxOptions = {}): string {
  return [...streamObx(project, options)].join("");
}

/** The text of `writeObx` in parts of about 64 KB, made as they are asked for: memory does not grow with the project. */
export function* streamObx(project: ProjectDocument, options: ObxOptions = {}): Generator<string> {
  const writer = new StreamingXmlWriter({ declaration: true, pretty: true });
  const steps = obxSteps(writer, project, options);
  while (!steps.next().done) if (writer.length >= chunkLength) yield writer.take();
  yield `${writer.take()}\n`;
}

/** Writes what `writeObx` writes, by any writer. */
export function writeObxInto(writer: XmlWriter, project: ProjectDocument, options: ObxOptions = {}): void {
  allSteps(obxSteps(writer, project, options));
}

function obxSteps(writer: XmlWriter, project: ProjectDocument, options: ObxOptions): Generator<undefined> {
  const context = startWriting(project, selectItems(project.items, options), {
    listPricesOnly: options.listPricesOnly ?? false,
  });
  return cutBufferSteps(writer, context, project.items);
}

/** The root of every OBX around `items`. */
export function* cutBufferSteps(
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
