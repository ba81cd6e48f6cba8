import { hasNull, isContainer } from "../../schema/nesting.js";
import { SchemaNode } from "./schema-node.js";

/**
 * Removes optional members that are null although their schema does not allow null: serializers of other
 * languages write null for absent values. Null stays where the schema allows it, where no schema applies, in
 * arrays, and in required members. If several forms of a union are possible, it stays if one of them allows
 * it. Runs in time linear to the size of the value, whatever its depth.
 */
export function nullMembersRemoved(schema: object): (value: unknown) => void {
  const node = SchemaNode.of(schema);
  const root = node === undefined ? undefined : new Shapes().of([node]);
  return (value) => {
    if (root !== undefined && isContainer(value) && hasNull(value)) removeNulls(value, root);
  };
}

/** Not recursive, because the depth of the value is not checked yet. */
function removeNulls(top: object, root: Shape): void {
  const pending: [value: object, shape: Shape][] = [[top, root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value] = next;
    const shape = next[1].narrowed(value);
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        const inner = isContainer(element) ? shape.item(index) : undefined;
        if (inner !== undefined) pending.push([element, inner]);
      }
      continue;
    }
    for (const name of Object.keys(value)) {
      const member: unknown = Reflect.get(value, name);
      if (member !== null && typeof member !== "object") continue;
      const { isAbsent, inner } = shape.member(name);
      if (member === null && isAbsent) Reflect.deleteProperty(value, name);
      else if (isContainer(member) && inner !== undefined) pending.push([member, inner]);
    }
  }
}

interface MemberRule {
  /** Null means that the member is absent. */
  isAbsent: boolean;
  /** The shape of its value; undefined if no schema applies. */
  inner: Shape | undefined;
}

/** Limits the cache, because a request can use any member names. */
const mostKept = 1000;

/** The schemas that apply to a value together, including referenced ones. */
class Shape {
  private readonly nodes: readonly SchemaNode[];
  /** Alternative forms of the value. */
  private readonly forms: readonly SchemaNode[];
  private readonly rules = new Map<string, MemberRule>();
  /** By place; all elements after the prefix share one. */
  private readonly items = new Map<number, Shape | undefined>();
  private readonly prefixLength: number;
  /** By the forms that fit. */
  private readonly narrowings = new Map<string, Shape>();

  constructor(
    given: readonly SchemaNode[],
    private readonly shapes: Shapes,
  ) {
    const nodes = new Set(given);
    // The set grows during iteration.
    for (const node of nodes) for (const each of node.all()) nodes.add(each);
    this.nodes = [...nodes];
    this.prefixLength = Math.max(0, ...this.nodes.map((node) => node.prefixLength));
    this.forms = this.nodes.flatMap((node) => node.unions().flat()).filter((form) => !nodes.has(form));
  }

  /** This shape with the union forms that the value may have. */
  narrowed(value: object): Shape {
    if (this.forms.length === 0) return this;
    const fitting = this.forms.filter((form) => form.mayFit(value));
    if (fitting.length === 0) return this;
    const key = fitting.map((form) => this.forms.indexOf(form)).join();
    const known = this.narrowings.get(key) ?? this.shapes.of([...this.nodes, ...fitting]);
    if (this.narrowings.size < mostKept) this.narrowings.set(key, known);
    return known.narrowed(value);
  }

  member(name: string): MemberRule {
    const known = this.rules.get(name);
    if (known !== undefined) return known;
    const declaring = this.nodes.filter((node) => node.member(name).length > 0);
    const members = declaring.flatMap((node) => node.member(name));
    const asking = this.nodes.filter((node) => node.asksFor(name));
    const mayMiss = asking.every((node) => declaring.includes(node)) && asking.length < declaring.length;
    const isAbsent = mayMiss && !members.some((node) => node.allowsNull());
    const rule = { isAbsent, inner: members.length === 0 ? undefined : this.shapes.of(members) };
    if (this.rules.size < mostKept) this.rules.set(name, rule);
    return rule;
  }

  item(index: number): Shape | undefined {
    const place = Math.min(index, this.prefixLength);
    if (!this.items.has(place)) {
      const nodes = this.nodes.flatMap((node) => node.item(place) ?? []);
      this.items.set(place, nodes.length === 0 ? undefined : this.shapes.of(nodes));
    }
    return this.items.get(place);
  }
}

/** The shapes of one schema, each created once. */
class Shapes {
  private readonly made = new Map<string, Shape>();
  private readonly numbers = new Map<SchemaNode, number>();

  of(nodes: readonly SchemaNode[]): Shape {
    const key = [...new Set(nodes.map((node) => this.numberOf(node)))].sort((a, b) => a - b).join();
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const shape = new Shape(nodes, this);
    // With many union forms, the number of combinations is up to the client.
    if (this.made.size < mostKept) this.made.set(key, shape);
    return shape;
  }

  private numberOf(node: SchemaNode): number {
    const number = this.numbers.get(node) ?? this.numbers.size;
    this.numbers.set(node, number);
    return number;
  }
}
