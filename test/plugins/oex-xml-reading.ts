/** What is in written XML. */
import { SaxesParser } from "saxes";

/** The first element with the name that has the text in it, as it was written. */
export function element(xml: string, name: string, having = ""): string {
  const found = xml.match(new RegExp(`<${name}[ >].*?</${name}>`, "gs")) ?? [];
  return found.find((each) => each.includes(having)) ?? `no ${name}`;
}

/** XML from the page: without the line ends and blanks between elements. */
export function written(xml: string): string {
  return xml.trim().replaceAll(/>\n\s*</g, "><");
}

export interface Parsed {
  name: string;
  attributes: Record<string, string>;
  text: string;
  hasChildren: boolean;
}

/** All elements in order of their start tags. */
export function parsed(xml: string): Parsed[] {
  const elements: Parsed[] = [];
  const open: Parsed[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const last = open.at(-1);
    if (last !== undefined) last.hasChildren = true;
    const element = { name, attributes, text: "", hasChildren: false };
    open.push(element);
    elements.push(element);
  });
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return elements;
}

/** Names of the elements right inside the first one, repeated ones once. */
export function childNames(xml: string): string[] {
  const names = new Set<string>();
  let depth = 0;
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    if (depth === 1) names.add(name);
    depth += 1;
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.write(xml).close();
  return [...names];
}

/** The texts of all elements with the name. */
export function values(xml: string, name: string): string[] {
  return parsed(xml)
    .filter((each) => each.name === name)
    .map((each) => each.text);
}

/** Elements without content and attributes without value, but for the one that has attributes only. */
export function empties(xml: string): string[] {
  return parsed(xml).flatMap(({ name, attributes, text, hasChildren }) => [
    ...(text === "" && !hasChildren && name !== "eAppVersion" ? [name] : []),
    ...Object.entries(attributes).flatMap(([key, value]) => (value === "" ? [`${name}/@${key}`] : [])),
  ]);
}

/** What XML 1.0 allows of a text: the rule of the format, not the one of the writers. */
export function allowed(text: string): string {
  return [...text].filter(isAllowed).join("");
}

function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return "\t\n\r".includes(character);
  return code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff);
}
