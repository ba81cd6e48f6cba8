/** A JSON file with the positions of its values, for error messages with line numbers. */
import { deepestNesting, isJsonTooDeep } from "@slipway/sdk/runtime/host";
import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { jsonPointer } from "../system/json.js";
import { lineStarts, placeAt, type TextPlace } from "./text-place.js";

/** The position of a value, with its JSON pointer (RFC 6901). */
export interface ValuePlace extends TextPlace {
  pointer: string;
}

/** A duplicate name in an object. */
export interface RepeatedName {
  name: string;
  pointer: string;
  offset: number;
}

export class JsonSource {
  /** Both are created for the first error. */
  private parsed: { tree: Node | undefined } | undefined;
  private lines: readonly number[] | undefined;
  /** Names of the objects that `pathOf` has passed. */
  private readonly names = new Map<object, readonly string[]>();

  private constructor(
    private readonly text: string,
    readonly value: unknown,
  ) {}

  /** The parsed file, or the syntax error with its position. */
  static read(text: string): JsonSource | (Partial<TextPlace> & { message: string }) {
    // The parser with positions is recursive.
    if (isJsonTooDeep(text)) return { message: `nested deeper than ${deepestNesting} levels` };
    try {
      return new JsonSource(text, JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return firstMistake(text);
    }
  }

  /** The value once more, for a check that fills in defaults. */
  copy(): unknown {
    return JSON.parse(this.text);
  }

  /** The position of a value, or of its innermost existing ancestor. */
  placeOf(path: readonly (string | number)[]): ValuePlace {
    const pointer = jsonPointer(path.map(String));
    return { ...this.placeAt(this.tree === undefined ? 0 : offsetOf(this.tree, path)), pointer };
  }

  /** Duplicate names of objects, at their repeated occurrence: JSON keeps only the last value. */
  repeatedNames(): RepeatedName[] {
    // Nearly no file needs the tree, which takes many times as long as the rest.
    if (writtenNames(this.text) === readNames(this.value)) return [];
    return this.tree === undefined ? [] : repeatedIn(this.tree, "");
  }

  /** The position of a duplicate name. */
  placeOfName({ pointer, offset }: RepeatedName): ValuePlace {
    return { ...this.placeAt(offset), pointer };
  }

  /** The path of a value in a violation, such as `options.categories[0].label`. */
  pathOf(dotted: string): (string | number)[] {
    const path: (string | number)[] = [];
    let value = this.value;
    let rest = dotted;
    while (rest !== "") {
      const step = nextStep(this.namesOf(value), rest);
      path.push(step.key);
      value = typeof value === "object" && value !== null ? Reflect.get(value, step.key) : undefined;
      rest = step.rest;
    }
    return path;
  }

  private namesOf(value: unknown): readonly string[] {
    if (typeof value !== "object" || value === null) return [];
    const names = this.names.get(value) ?? Object.keys(value);
    this.names.set(value, names);
    return names;
  }

  private placeAt(offset: number): TextPlace {
    this.lines ??= lineStarts(this.text);
    return placeAt(this.text, this.lines, offset);
  }

  private get tree(): Node | undefined {
    this.parsed ??= { tree: parseTree(this.text) };
    return this.parsed.tree;
  }
}

/** Names may contain dots: the longest existing name wins. */
function nextStep(names: readonly string[], rest: string): { key: string | number; rest: string } {
  const index = /^\[(\d+)\]\.?/.exec(rest);
  if (index !== null) return { key: Number(index[1]), rest: rest.slice(index[0].length) };
  const name =
    names
      .filter((each) => rest.startsWith(each) && /^(?:$|[.[])/.test(rest.slice(each.length)))
      .sort((one, other) => other.length - one.length)[0] ??
    (/^[^.[]+/.exec(rest)?.[0] || rest);
  return { key: name, rest: rest.slice(name.length).replace(/^\./, "") };
}

function offsetOf(tree: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length) satisfies JSONPath);
    if (node === undefined) continue;
    return node.parent?.type === "property" ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

/** How many names of members a valid JSON text has: each has a colon behind it, and outside of strings nothing else has. */
function writtenNames(text: string): number {
  return text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"?/g, "").split(":").length - 1;
}

/** How many of them are left in the value, where duplicate names count once. */
function readNames(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return members.reduce((sum, each) => sum + readNames(each), Array.isArray(value) ? 0 : members.length);
}

function repeatedIn(node: Node, pointer: string): RepeatedName[] {
  const { children = [] } = node;
  if (node.type === "array")
    return children.flatMap((child, index) => repeatedIn(child, `${pointer}/${index}`));
  if (node.type !== "object") return [];
  const names = new Set<string>();
  return children.flatMap((property) => {
    const [key, value] = property.children ?? [];
    const name = String(key?.value);
    const place = `${pointer}${jsonPointer([name])}`;
    const again = names.has(name) ? [{ name, pointer: place, offset: property.offset }] : [];
    names.add(name);
    return value === undefined ? again : [...again, ...repeatedIn(value, place)];
  });
}

/** In the words of this parser: those of `JSON.parse` are one engine's own. */
function firstMistake(text: string): Partial<TextPlace> & { message: string } {
  const mistakes: ParseError[] = [];
  parseTree(text, mistakes, { disallowComments: true, allowTrailingComma: false });
  const [first] = mistakes;
  if (first === undefined) return { message: "not valid JSON" };
  const words = printParseErrorCode(first.error).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { message: `not valid JSON:${words}`, ...placeAt(text, lineStarts(text), first.offset) };
}
