import { SchemaNode } from "./schema-node.js";

/**
 * Takes out of a value the members that are null although their schema allows no null and they may be left out: serializers
 * of other languages write null for what is absent. Null stays where the schema allows it, where no schema says anything, as an
 * element of a list, and where the member is required. Where several forms of a union may be meant, it stays if one of
 * them allows it. Takes time by the size of the value, whatever its depth.
 */
export function nullMembersRemoved(schema: object): (value: unknown) => void {
  const node = SchemaNode.of(schema);
  const root = node === undefined ? undefined : new Shapes().of([node]);
  return (value) => {
    if (root !== undefined && isContainer(value) && hasNull(value)) removeNulls(value, root);
  };
}

/** Without recursion, because nothing has looked at the depth of the value yet. */
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
  /** Null means that the member is not there. */
  isAbsent: boolean;
  /** What its value has to be; undefined where nothing is said of it. */
  inner: Shape | undefined;
}

/** So much is kept of what a value asked for; a request can ask for any names. */
const mostKept = 1000;

/** The schemas that hold for a value at once, with all that they refer to. */
class Shape {
  private readonly nodes: readonly SchemaNode[];
  /** Forms that the value may have besides. */
  private readonly forms: readonly SchemaNode[];
  private readonly rules = new Map<string, MemberRule>();

  constructor(
    given: readonly SchemaNode[],
    private readonly shapes: Shapes,
  ) {
    const nodes = new Set(given);
    // The set grows while it is gone through.
    for (const node of nodes) for (const each of node.all()) nodes.add(each);
    this.nodes = [...nodes];
    this.forms = this.nodes.flatMap((node) => node.unions().flat()).filter((form) => !nodes.has(form));
  }

  /** The same with the forms of unions that the value may have. */
  narrowed(value: object): Shape {
    const fitting = this.forms.filter((form) => form.mayFit(value));
    return fitting.length === 0 ? this : this.shapes.of([...this.nodes, ...fitting]).narrowed(value);
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
    const items = this.nodes.flatMap((node) => node.item(index) ?? []);
    return items.length === 0 ? undefined : this.shapes.of(items);
  }
}

/** The shapes of one schema, each made once. */
class Shapes {
  private readonly made = new Map<string, Shape>();
  private readonly numbers = new Map<SchemaNode, number>();

  of(nodes: readonly SchemaNode[]): Shape {
    const key = [...new Set(nodes.map((node) => this.numberOf(node)))].sort((a, b) => a - b).join();
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const shape = new Shape(nodes, this);
    // Of unions with many forms a value can choose any.
    if (this.made.size < mostKept) this.made.set(key, shape);
    return shape;
  }

  private numberOf(node: SchemaNode): number {
    const number = this.numbers.get(node) ?? this.numbers.size;
    this.numbers.set(node, number);
    return number;
  }
}

function hasNull(top: object): boolean {
  const pending = [top];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const member of Object.values(next)) {
      if (member === null) return true;
      if (typeof member === "object") pending.push(member);
    }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
