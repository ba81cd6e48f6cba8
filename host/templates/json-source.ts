/** A JSON file that knows where its values stand, so that a mistake can be told with its line. */
import { findNodeAtLocation, type JSONPath, type Node, type ParseError, parseTree } from "jsonc-parser";

/** Where in a file: line and column from 1, the column in characters. */
export interface Place {
  line: number;
  column: number;
}

/** A value of the file, by its place and its JSON pointer (RFC 6901). */
export interface ValuePlace extends Place {
  pointer: string;
}

export class JsonSource {
  private constructor(
    private readonly text: string,
    readonly value: unknown,
  ) {}

  /** The file, or what keeps it from being JSON and where. */
  static read(text: string): JsonSource | (Partial<Place> & { message: string }) {
    try {
      return new JsonSource(text, JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { message: `not valid JSON: ${withoutPlace(error.message)}`, ...firstMistake(text) };
    }
  }

  /** Where the value stands, or the innermost one around it that is there. */
  placeOf(path: readonly (string | number)[]): ValuePlace {
    const tree = parseTree(this.text);
    const pointer = path.map(pointerStep).join("");
    return { ...placeAt(this.text, tree === undefined ? 0 : offsetOf(tree, path)), pointer };
  }

  /** Names that an object has more than once, where they stand again: of their values only the last would count. */
  repeatedNames(): (ValuePlace & { name: string })[] {
    const tree = parseTree(this.text);
    return tree === undefined
      ? []
      : repeatedIn(tree, "").map(({ name, pointer, offset }) => ({
          name,
          ...placeAt(this.text, offset),
          pointer,
        }));
  }

  /** The path of a value that a violation names, such as `options.categories[0].label`. */
  pathOf(dotted: string): (string | number)[] {
    const path: (string | number)[] = [];
    let value = this.value;
    let rest = dotted;
    while (rest !== "") {
      const step = nextStep(value, rest);
      path.push(step.key);
      value = typeof value === "object" && value !== null ? Reflect.get(value, step.key) : undefined;
      rest = step.rest;
    }
    return path;
  }
}

/** Names may have dots themselves: the longest one that is there counts. */
function nextStep(value: unknown, rest: string): { key: string | number; rest: string } {
  const index = /^\[(\d+)\]\.?/.exec(rest);
  if (index !== null) return { key: Number(index[1]), rest: rest.slice(index[0].length) };
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
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

interface RepeatedName {
  name: string;
  pointer: string;
  offset: number;
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
    const place = `${pointer}${pointerStep(name)}`;
    const again = names.has(name) ? [{ name, pointer: place, offset: property.offset }] : [];
    names.add(name);
    return value === undefined ? again : [...again, ...repeatedIn(value, place)];
  });
}

function pointerStep(step: string | number): string {
  return `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function firstMistake(text: string): Partial<Place> {
  const mistakes: ParseError[] = [];
  parseTree(text, mistakes, { disallowComments: true, allowTrailingComma: false });
  const [first] = mistakes;
  return first === undefined ? {} : placeAt(text, first.offset);
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
}

/** Engines tell places in different ways, and the line is told already. */
function withoutPlace(message: string): string {
  return message.replace(/ (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?$/, "");
}
