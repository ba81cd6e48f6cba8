/** Reads an order of any size as a stream; only one line is in memory at a time. */
import { SaxesParser } from "saxes";
import { DocumentElement } from "../checking/document-element.js";
import { UnreadableDocument } from "../checking/read-document.js";

/** Deeper than any order. */
const deepest = 32;

/**
 * The root with everything but the lines, which go to `onLine` one after the other. Elements have their local names.
 * @throws {UnreadableDocument} if it is not well-formed XML in UTF-8
 */
export async function readOrder(
  document: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  lineName: string,
  onLine: (line: DocumentElement) => void,
): Promise<DocumentElement> {
  const top = new DocumentElement("", {}, 1);
  const open = [top];
  const parser = new SaxesParser({ xmlns: false });
  const unreadable = (message: string): UnreadableDocument => new UnreadableDocument(message, parser.line);
  parser.on("error", ({ message }) => {
    throw unreadable(`not well-formed: ${message.replace(/^\d+:\d+: /, "")}`);
  });
  parser.on("doctype", () => {
    throw unreadable("a DOCTYPE is not allowed");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > deepest) throw unreadable(`${name} is nested too deep`);
    const element = new DocumentElement(name.replace(/^.*:/, ""), attributes, parser.line);
    if (element.name !== lineName) open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => {
    const element = open.pop();
    if (element?.name === lineName) onLine(element);
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw unreadable("not encoded in UTF-8");
    }
  };
  for await (const bytes of document) parser.write(decoded(bytes));
  parser.write(decoded()).close();
  const [root] = top.children;
  if (root === undefined) throw unreadable("there is no element");
  return root;
}
