/** Reads XMP packets (ISO 16684-1). */
import { SaxesParser } from "saxes";

/** A property: an element of the packet, or an attribute. */
export interface XmpNode {
  namespace: string;
  name: string;
  /** Of an element: all text within it. */
  text: string;
  children: XmpNode[];
}

export interface XmpPacket {
  /** The processing instruction at the beginning, if any. */
  header: string | undefined;
  /** The first syntax error of the XML, if any. */
  fault: string | undefined;
  root: XmpNode;
}

export const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

const deepest = 100;

/** Reads as far as possible, down to a depth that no XMP reaches. */
export function readXmp(bytes: Uint8Array): XmpPacket {
  const root: XmpNode = { namespace: "", name: "", text: "", children: [] };
  const packet: XmpPacket = { header: undefined, fault: undefined, root };
  const open = [root];
  let skipped = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", ({ message }) => {
    packet.fault ??= message;
  });
  parser.on("processinginstruction", ({ target, body }) => {
    if (target === "xpacket") packet.header ??= body;
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (open.length > deepest) skipped += 1;
    if (skipped > 0) return;
    const children = Object.values(attributes)
      .filter((each) => each.prefix !== "xmlns" && each.uri !== "http://www.w3.org/2000/xmlns/")
      .map((each) => ({ namespace: each.uri, name: each.local, text: each.value, children: [] }));
    const node = { namespace: uri, name: local, text: "", children };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    for (const node of open) if (node !== root) node.text += text;
  });
  parser.on("closetag", () => {
    if (skipped > 0) skipped -= 1;
    else if (open.length > 1) open.pop();
  });
  parser.write(Buffer.from(bytes).toString("utf8")).close();
  return packet;
}

/** The text of the first property of that name, however it is written. */
export function xmpProperty(packet: XmpPacket, namespace: string, name: string): string | undefined {
  return descendants(packet.root).find((node) => node.namespace === namespace && node.name === name)?.text;
}

/** The properties of the document: the direct children of its descriptions. */
export function xmpProperties({ root }: XmpPacket): XmpNode[] {
  const top = descendants(root).filter(({ namespace, name }) => namespace === rdf && name === "RDF");
  return top
    .flatMap(({ children }) => children)
    .filter(({ namespace, name }) => namespace === rdf && name === "Description")
    .flatMap(({ children }) => children)
    .filter(({ namespace, name }) => namespace !== rdf && !(namespace === "" && name === "about"));
}

/** All nodes within a node, in their order. */
export function descendants(node: XmpNode): XmpNode[] {
  return node.children.flatMap((child) => [child, ...descendants(child)]);
}
