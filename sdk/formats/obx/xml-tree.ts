/**
 * Parses XML text into a small tree with line numbers. Strict: XML that is not well-formed is rejected with
 * the place of the error.
 */
import { SaxesParser } from "saxes";
import { brokenFile } from "./read-warnings.js";

/** One element; `text` is its own character data, without that of its children. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
  line: number;
  column: number;
  /** The file name in the container. */
  entry?: string;
  /** From the root, with an index among siblings of the same name: "basket/view[2]". */
  path: string;
}

/** Limits against hostile files. */
export interface XmlLimits {
  depth: number;
  elements: number;
}

const usualLimits: XmlLimits = { depth: 64, elements: 1_000_000 };

interface OpenElement {
  element: XmlElement;
  text: string[];
  counts: Map<string, number>;
}

/**
 * Parses `text` and returns the root element. `entry` is the file name in its container, for messages.
 * @throws RequestError 400 for text that is not well-formed, has a document type (entities are never
 *   expanded), is nested deeper than 64 levels or has more than a million elements.
 */
export function parseXml(text: string, entry?: string, limits: XmlLimits = usualLimits): XmlElement {
  const parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const refuse = (what: string, reason?: unknown): Error =>
    brokenFile(
      what,
      { ...(entry === undefined ? {} : { entry }), line: parser.line, column: parser.column + 1 },
      reason,
    );

  parser.on("error", (error) => {
    throw refuse(messageOf(error), error);
  });
  parser.on("doctype", () => {
    throw refuse("a document type declaration is not allowed");
  });
  parser.on("opentag", (tag) => {
    elements += 1;
    if (elements > limits.elements) throw refuse(`more than ${limits.elements} elements`);
    if (open.length >= limits.depth) throw refuse(`elements are nested deeper than ${limits.depth} levels`);
    const parent = open.at(-1);
    const element = startedElement(tag.name, tag.attributes, parent, parser.line, parser.column);
    if (entry !== undefined) element.entry = entry;
    if (parent) parent.element.children.push(element);
    else root = element;
    open.push({ element, text: [], counts: new Map() });
  });
  const append = (data: string): void => void open.at(-1)?.text.push(data);
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed) closed.element.text = closed.text.join("");
  });

  parser.write(text).close();
  if (!root) throw refuse("there is no root element");
  return root;
}

function startedElement(
  name: string,
  attributes: Record<string, string>,
  parent: OpenElement | undefined,
  line: number,
  column: number,
): XmlElement {
  const index = (parent?.counts.get(name) ?? 0) + 1;
  parent?.counts.set(name, index);
  const step = index > 1 ? `${name}[${index}]` : name;
  return {
    name,
    attributes: new Map(Object.entries(attributes)),
    children: [],
    text: "",
    line,
    column: column + 1,
    path: parent ? `${parent.element.path}/${step}` : step,
  };
}

/** The parser's message without the prefix "line:column: ", at most 200 characters. */
function messageOf(error: Error): string {
  const message = error.message.replace(/^\d+:\d+: /, "");
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}
