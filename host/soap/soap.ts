/**
 * SOAP 1.1: the door of this folder.
 *
 * In: the bytes of an envelope, which are hostile input (no document type, no entities, limits of depth and number); values
 * with their schemas.
 * Out: the element in the body of an envelope, and its value by a schema; envelopes of responses, requests and faults, with the
 * prefixes that the clients of EAIWS look for.
 * Owns: nothing.
 *
 * In XML, an object is an element with attributes and children, a list is repeated elements.
 */
import {
  badRequest,
  RequestError,
  StreamingXmlWriter,
  shownValue,
  type TSchema,
  type XmlAttributes,
  type XmlWriter,
} from "@slipway/sdk";
import { SaxesParser } from "saxes";

const envelopeNamespace = "http://schemas.xmlsoap.org/soap/envelope/";
const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

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

/** The media type of envelopes. */
export const envelopeType = "text/xml; charset=utf-8";

const prefixes = { "xmlns:S": envelopeNamespace, "xmlns:xsi": instanceNamespace };

/** Approximate number of characters per chunk. */
const chunkLength = 65_536;

/**
 * The response of an operation in chunks: its result as elements `return`, one for each of a list, none without a result. A list need not fit
 * into memory as a whole.
 */
export function* responseChunks(options: {
  operation: string;
  namespace: string;
  result: unknown;
  schema: TSchema;
}): Generator<string> {
  const { operation, namespace, result, schema } = options;
  const writer = opened({ "xmlns:ns2": namespace });
  writer.open(`ns2:${operation}Response`);
  const items = itemsOf(schema);
  if (items === undefined || !Array.isArray(result)) writeValue(writer, "return", result, schema);
  else {
    for (const each of result) {
      writeValue(writer, "return", each, items);
      if (writer.length >= chunkLength) yield writer.take();
    }
  }
  for (let open = 3; open > 0; open -= 1) writer.close();
  yield writer.take();
}

/** A request: the parameters in their order, without a namespace. */
export function writeRequest(options: {
  operation: string;
  namespace: string;
  parameters: Readonly<Record<string, unknown>>;
  schema: TSchema;
}): string {
  const { operation, namespace, parameters, schema } = options;
  return envelope({ "xmlns:ns2": namespace }, (writer) =>
    writeValue(writer, `ns2:${operation}`, parameters, schema),
  );
}

/** An error as fault; its detail has id and status of the error, which other responses have as JSON. */
export function writeFault(error: RequestError): string {
  return envelope({}, (writer) => {
    writer.open("S:Fault");
    writer.element("faultcode", error.code < 500 ? "S:Client" : "S:Server");
    writer.element("faultstring", error.message);
    writer.open("detail");
    writer.element("error", "", { id: error.id, code: error.code });
    writer.close();
    writer.close();
  });
}

function envelope(further: Record<string, string>, write: (writer: StreamingXmlWriter) => void): string {
  const writer = opened(further);
  write(writer);
  writer.close();
  writer.close();
  return writer.take();
}

/** A writer inside of the body. */
function opened(further: Record<string, string>): StreamingXmlWriter {
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("S:Envelope", { ...prefixes, ...further });
  writer.open("S:Body");
  return writer;
}

/** A member that is written as an attribute. When reading, attributes and child elements are the same. */
export const attribute = { xml: "attribute" } as const;
/** A member that is the text of its element. */
export const content = { xml: "content" } as const;

type Members = Readonly<Record<string, TSchema>>;

/**
 * The value of an element, not validated. Members without a place in the schema are in it too, so that a check reports
 * them. Texts stay texts; the check converts them.
 */
export function readValue(node: XmlNode, schema: TSchema): unknown {
  const members = membersOf(schema);
  if (members === undefined)
    return node.children.length === 0 ? readText(node.text, schema) : unexpected(node);
  const found = new Map<string, unknown>();
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of node.attributes) {
    const member = members[name];
    found.set(name, member === undefined ? value : readText(value, member));
  }
  for (const child of node.children) {
    if (child.isNil) continue;
    const member = Object.hasOwn(members, child.name) ? members[child.name] : undefined;
    const items = member && itemsOf(member);
    if (items !== undefined) {
      const list = lists.get(child.name) ?? [];
      list.push(readValue(child, items));
      lists.set(child.name, list);
      found.set(child.name, list);
    } else if (found.has(child.name)) found.set(child.name, "several values");
    else found.set(child.name, member === undefined ? unexpected(child) : readValue(child, member));
  }
  const own = Object.entries(members).find(([, member]) => placeOf(member) === "content");
  if (own !== undefined) found.set(own[0], node.text);
  return Object.fromEntries(found);
}

/** Writes a value as the element `name`: a list as one element each; undefined writes nothing. */
function writeValue(writer: XmlWriter, name: string, value: unknown, schema: TSchema): void {
  if (value === undefined) return;
  const items = itemsOf(schema);
  if (items !== undefined) {
    for (const each of Array.isArray(value) ? value : []) writeValue(writer, name, each, items);
    return;
  }
  const members = membersOf(schema);
  if (members === undefined || !isObject(value)) {
    writer.element(name, String(value));
    return;
  }
  const attributes: Record<string, string> = {};
  let text: string | undefined;
  const inside: [string, unknown, TSchema][] = [];
  for (const [key, member] of Object.entries(members)) {
    const part = value[key];
    if (part === undefined) continue;
    const place = placeOf(member);
    if (place === "attribute") attributes[key] = String(part);
    else if (place === "content") text = String(part);
    else inside.push([key, part, member]);
  }
  writeElement(writer, name, { attributes, text, inside });
}

function writeElement(
  writer: XmlWriter,
  name: string,
  parts: { attributes: XmlAttributes; text: string | undefined; inside: [string, unknown, TSchema][] },
): void {
  if (parts.text !== undefined) {
    writer.element(name, parts.text, parts.attributes);
    return;
  }
  writer.open(name, parts.attributes);
  for (const [key, part, member] of parts.inside) writeValue(writer, key, part, member);
  writer.close();
}

/** XML schema also has 1 and 0 for booleans. */
function readText(text: string, schema: TSchema): string {
  if (!("type" in schema) || schema.type !== "boolean") return text;
  const trimmed = text.trim();
  return trimmed === "1" ? "true" : trimmed === "0" ? "false" : trimmed;
}

function unexpected({ text, children }: XmlNode): unknown {
  return children.length === 0 ? text : Object.fromEntries(children.map(({ name }) => [name, "…"]));
}

function placeOf(schema: TSchema): unknown {
  return "xml" in schema ? schema.xml : undefined;
}

function membersOf(schema: TSchema): Members | undefined {
  return "properties" in schema && isMembers(schema.properties) ? schema.properties : undefined;
}

/** The schema of the items of a list; undefined for other schemas. */
function itemsOf(schema: TSchema): TSchema | undefined {
  return "items" in schema && isObject(schema.items) ? schema.items : undefined;
}

function isMembers(value: unknown): value is Members {
  return isObject(value) && Object.values(value).every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
