/** Reads SOAP 1.1 envelopes, which are hostile input: no document type, no entities, limits of depth and number. */
import { badRequest, RequestError, shownValue } from "@slipway/sdk";
import { SaxesParser } from "saxes";

/** An element of a body: local names only, its own text without that of its children. */
export interface XmlNode {
  name: string;
  namespace: string;
  /** Attributes without a namespace. */
  attributes: ReadonlyMap<string, string>;
  /** Whether it states that it has no value (`xsi:nil`). */
  isNil: boolean;
  children: XmlNode[];
  text: string;
}

const envelopeNamespace = "http://schemas.xmlsoap.org/soap/envelope/";
const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

/** Depth of elements, and how many there may be. */
const limits = { depth: 32, elements: 100_000 };

/**
 * The only element in the body of an envelope.
 * @throws RequestError 400 `request-bad-request` for text that is no such envelope, with line and column where it is no XML
 */
export function readEnvelope(bytes: Uint8Array): XmlNode {
  const envelope = parse(decoded(bytes));
  if (envelope.name !== "Envelope" || envelope.namespace !== envelopeNamespace)
    throw noEnvelope(`an Envelope of ${envelopeNamespace}`, shown(envelope));
  const body = envelope.children.find((each) => isPart(each, "Body"));
  if (body === undefined) throw noEnvelope("a Body in the Envelope", "none");
  const [content, another] = body.children;
  if (content === undefined || another !== undefined)
    throw noEnvelope("one element in the Body", String(body.children.length));
  return content;
}

function isPart(node: XmlNode, name: string): boolean {
  return node.name === name && node.namespace === envelopeNamespace;
}

function shown({ name, namespace }: XmlNode): string {
  const what = shownValue(name);
  return namespace === "" ? `${what} without a namespace` : `${what} of ${shownValue(namespace)}`;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw noEnvelope("text in UTF-8", "other bytes");
  }
}

interface OpenNode {
  node: XmlNode;
  text: string[];
}

function parse(text: string): XmlNode {
  const parser = new SaxesParser<{ position: true; xmlns: true }>({ position: true, xmlns: true });
  const open: OpenNode[] = [];
  let root: XmlNode | undefined;
  let elements = 0;
  const refuse = (what: string): RequestError =>
    new RequestError({
      id: "request-bad-request",
      code: 400,
      message: `The XML of the body is broken at line ${parser.line}, column ${parser.column + 1}: ${what}.`,
      additionalInformation: { line: parser.line, column: parser.column + 1 },
    });
  parser.on("error", (error) => {
    throw refuse(error.message.replace(/^\d+:\d+: |\.$/g, "").slice(0, 200));
  });
  parser.on("doctype", () => {
    throw refuse("a document type declaration is not allowed");
  });
  parser.on("opentag", (tag) => {
    elements += 1;
    if (elements > limits.elements) throw refuse(`there are more than ${limits.elements} elements`);
    if (open.length >= limits.depth) throw refuse(`elements are nested deeper than ${limits.depth} levels`);
    const given = Object.values(tag.attributes);
    const node: XmlNode = {
      name: tag.local,
      namespace: tag.uri,
      attributes: new Map(given.flatMap(({ uri, local, value }) => (uri === "" ? [[local, value]] : []))),
      isNil: given.some(
        ({ uri, local, value }) => uri === instanceNamespace && local === "nil" && /^(true|1)$/.test(value),
      ),
      children: [],
      text: "",
    };
    const parent = open.at(-1);
    if (parent === undefined) root = node;
    else parent.node.children.push(node);
    open.push({ node, text: [] });
  });
  const append = (data: string): void => void open.at(-1)?.text.push(data);
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed !== undefined) closed.node.text = closed.text.join("");
  });
  parser.write(text).close();
  if (root === undefined) throw noEnvelope("an Envelope", "nothing");
  return root;
}

function noEnvelope(expected: string, received: string): RequestError {
  return badRequest("The body is not a SOAP 1.1 envelope", [{ path: "body", expected, received }]);
}
