/** What the data of a template can have, from the schema of report data: the basis of messages about unknown names. */
import { ReportData, similarName } from "@slipway/sdk";
import { isJsonObject } from "../../system/json.js";

/** The values at a place of the data. Two places with equal values have the same shape. */
export interface Shape {
  /** Names that values have besides those of `kind`, with what they lead to; undefined leads to anything. */
  readonly members: ReadonlyMap<string, Shape | undefined>;
  /** JavaScript's own members of such values. */
  readonly kind: object;
  /** Of lists: the shape of each element. */
  readonly element?: Shape | undefined;
  /** Whether values may have further members. */
  readonly isOpen?: boolean;
}

const noMembers: ReadonlyMap<string, undefined> = new Map();

/** Texts, numbers and booleans. */
const texts: Shape = { members: noMembers, kind: String.prototype };
const numbers: Shape = { members: noMembers, kind: Number.prototype };
const flags: Shape = { members: noMembers, kind: Boolean.prototype };

/** A shape of exactly these members. */
export function objectShape(members: ReadonlyMap<string, Shape | undefined>): Shape {
  return { members, kind: Object.prototype };
}

/** Whether values of the shape have a member; one that is sometimes missing counts. */
export function hasMember(shape: Shape, name: string): boolean {
  if (shape.isOpen === true) return true;
  return shape.members.has(name) || name in shape.kind || (shape.kind === Array.prototype && isIndex(name));
}

/** The shape of a member; undefined where anything may be. */
export function memberShape(shape: Shape, name: string): Shape | undefined {
  return shape.element !== undefined && isIndex(name) ? shape.element : shape.members.get(name);
}

/** Such as `unknown name titel in d.data.project (did you mean title?)`. */
export function unknownMember(name: string, shape: Shape, owner?: string): string {
  const known = [...shape.members.keys(), ...Object.getOwnPropertyNames(shape.kind)];
  return unknownName(name, similarName(name, known), owner);
}

/** Such as `unknown name titel (did you mean d.data.title?)`. */
export function unknownName(name: string, meant: string | undefined, owner?: string): string {
  const place = owner === undefined ? "" : ` in ${owner}`;
  return `unknown name ${name}${place}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name);
}

/** The shape of `d.data` for a template with these options. */
export function dataShape(options: readonly string[]): Shape {
  const root = new SchemaShapes(ReportData).root();
  const known = new Map<string, undefined>(options.map((key) => [key, undefined]));
  return objectShape(new Map([...root.members, ["options", objectShape(known)], ["data", undefined]]));
}

/** Shapes of a JSON schema whose objects are closed; definitions may contain each other. */
class SchemaShapes {
  private readonly definitions: Readonly<Record<string, unknown>>;
  private readonly named = new Map<string, Shape | undefined>();
  private readonly lists = new Map<Shape | undefined, Shape>();

  constructor(private readonly schema: unknown) {
    const definitions = part(schema, "$defs");
    this.definitions = isJsonObject(definitions) ? definitions : {};
  }

  root(): Shape {
    const shape = this.shapeOf(this.schema);
    if (shape === undefined) throw new Error("The schema of report data is not one of an object.");
    return shape;
  }

  private shapeOf(schema: unknown): Shape | undefined {
    const reference = part(schema, "$ref");
    if (typeof reference === "string") return this.definition(reference.replace("#/$defs/", ""));
    if (Array.isArray(part(schema, "enum"))) return texts;
    const variants = part(schema, "anyOf");
    if (Array.isArray(variants)) return this.union(variants);
    switch (part(schema, "type")) {
      case "object":
        return this.object(schema);
      case "array":
        return this.list(this.shapeOf(part(schema, "items")));
      case "string":
        return texts;
      case "number":
      case "integer":
        return numbers;
      case "boolean":
        return flags;
      default:
        return undefined;
    }
  }

  private definition(name: string): Shape | undefined {
    if (this.named.has(name)) return this.named.get(name);
    // Definitions contain themselves: the map is filled once it can be found.
    const members = new Map<string, Shape | undefined>();
    const shape = objectShape(members);
    this.named.set(name, shape);
    const read = this.shapeOf(this.definitions[name]);
    if (read?.kind !== Object.prototype) this.named.set(name, read);
    for (const [key, value] of read?.members ?? []) members.set(key, value);
    return this.named.get(name);
  }

  private list(element: Shape | undefined): Shape {
    const known = this.lists.get(element);
    if (known !== undefined) return known;
    const list = { members: noMembers, kind: Array.prototype, element };
    this.lists.set(element, list);
    return list;
  }

  private object(schema: unknown): Shape | undefined {
    const properties = part(schema, "properties");
    if (!isJsonObject(properties) || part(schema, "additionalProperties") !== false) return undefined;
    return objectShape(
      new Map(Object.entries(properties).map(([name, member]) => [name, this.shapeOf(member)])),
    );
  }

  /** A union of objects has the members of all of them: a template may ask any line for its name. */
  private union(variants: readonly unknown[]): Shape | undefined {
    const shapes = variants
      .filter((variant) => part(variant, "type") !== "null")
      .map((each) => this.shapeOf(each));
    const [first] = shapes;
    if (shapes.every((shape) => shape === first)) return first;
    if (!shapes.every((shape) => shape?.kind === Object.prototype)) return undefined;
    const members = new Map<string, Shape | undefined>();
    for (const [name, member] of shapes.flatMap((shape) => [...(shape?.members ?? [])]))
      members.set(name, members.has(name) && members.get(name) !== member ? undefined : member);
    return objectShape(members);
  }
}

function part(schema: unknown, name: string): unknown {
  return isJsonObject(schema) ? schema[name] : undefined;
}
