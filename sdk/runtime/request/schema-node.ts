import { once } from "../../schema/once.js";
import { isRecord } from "../../schema/record.js";

type Json = Record<string, unknown>;

/** State shared by all schemas of one document. */
interface SchemaDocument {
  root: Json;
  nodes: Map<Json, SchemaNode>;
}

/**
 * The part of a schema that says which members a value may have and which of them may be null. Other keywords
 * (`not`, `if`, `unevaluatedProperties`) are ignored here and handled by validation.
 */
export class SchemaNode {
  /** Whether null is valid; true in doubt. */
  readonly allowsNull: () => boolean;

  private readonly types: readonly unknown[] | undefined;
  /** From `const` and `enum`. */
  private readonly values: readonly unknown[] | undefined;
  /** Without members that have a default. */
  private readonly required: ReadonlySet<string>;
  private readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Members with a fixed set of values. */
  private readonly fixed: readonly (readonly [string, readonly unknown[]])[];
  private readonly patterns: readonly (readonly [RegExp, SchemaNode])[];

  private constructor(
    private readonly schema: Json,
    private readonly definitions: Json,
    private readonly document: SchemaDocument,
  ) {
    document.nodes.set(schema, this);
    const { type, enum: values, required, properties, patternProperties } = schema;
    this.types = type === undefined ? undefined : [type, schema["nullable"] === true && "null"].flat();
    this.values = "const" in schema ? [schema["const"]] : Array.isArray(values) ? values : undefined;
    const members = isRecord(properties) ? properties : {};
    const isFilled = (name: unknown): boolean => {
      const member = Object.hasOwn(members, String(name)) ? members[String(name)] : undefined;
      return isRecord(member) && member["default"] !== undefined;
    };
    const asked = Array.isArray(required) ? required : [];
    this.required = new Set(asked.filter((name) => !isFilled(name)).map(String));
    this.properties = new Map(this.inside(members));
    this.fixed = [...this.properties].flatMap(([name, { values }]) =>
      values === undefined ? [] : [[name, values]],
    );
    const patterns = isRecord(patternProperties) ? patternProperties : {};
    this.patterns = this.inside(patterns).map(([pattern, node]) => [new RegExp(pattern, "u"), node]);
    this.allowsNull = once(() => this.findsNullFit());
  }

  static of(schema: object): SchemaNode | undefined {
    const root: unknown = schema;
    return isRecord(root) ? new SchemaNode(root, definitionsOf(root), { root, nodes: new Map() }) : undefined;
  }

  /** Schemas that apply in addition to this one. */
  readonly all = once(() => [
    ...this.list("allOf"),
    ...[this.referred()].filter((node) => node !== undefined),
  ]);

  /** Lists of alternatives; a value must match one of each. */
  readonly unions = once(() => [this.list("anyOf"), this.list("oneOf")].filter(({ length }) => length > 0));

  private readonly additional = once(() => this.node(this.schema["additionalProperties"]));
  private readonly prefixItems = once(() => this.list("prefixItems"));
  private readonly items = once(() => this.node(this.schema["items"]));

  /** The schemas of a member; empty if it is not declared. */
  member(name: string): SchemaNode[] {
    const own = this.properties.get(name);
    const found = this.patterns.filter(([pattern]) => pattern.test(name)).map(([, node]) => node);
    if (own !== undefined) found.push(own);
    const additional = found.length === 0 ? this.additional() : undefined;
    return additional === undefined ? found : [additional];
  }

  /** Number of first elements of an array that may differ from all others. */
  get prefixLength(): number {
    return this.prefixItems().length;
  }

  /** The schema of an element of an array. */
  item(index: number): SchemaNode | undefined {
    return this.prefixItems()[index] ?? this.items();
  }

  /** Whether a value without the member is invalid, because no default fills it in. */
  asksFor(name: string): boolean {
    return this.required.has(name);
  }

  /** Whether an object or array may match, judged by type, required members and fixed values. */
  mayFit(value: object, depth = 0): boolean {
    const type = Array.isArray(value) ? "array" : "object";
    if (this.types !== undefined && !this.types.includes(type)) return false;
    if (type === "object" && !this.mayHaveMembersOf(value)) return false;
    return depth >= deepestReference || this.all().every((node) => node.mayFit(value, depth + 1));
  }

  private mayHaveMembersOf(value: object): boolean {
    const member = (name: string): unknown =>
      Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    for (const name of this.required) {
      const found = member(name);
      const isNull = found === null && this.properties.get(name)?.allowsNull() === false;
      if (found === undefined || isNull) return false;
    }
    for (const [name, values] of this.fixed) {
      const found = member(name) ?? undefined;
      if (found !== undefined && !values.includes(found)) return false;
    }
    return true;
  }

  private findsNullFit(): boolean {
    if (this.types !== undefined && !this.types.includes("null")) return false;
    if (this.values !== undefined && !this.values.includes(null)) return false;
    const fits = (node: SchemaNode): boolean => node.allowsNull();
    return this.all().every(fits) && this.unions().every((alternatives) => alternatives.some(fits));
  }

  /** Resolves a reference by pointer or, as TypeBox writes them, by name; undefined outside the document. */
  private referred(): SchemaNode | undefined {
    const reference = this.schema["$ref"];
    if (typeof reference !== "string") return undefined;
    if (reference === "#") return this.node(this.document.root);
    const name = reference.replace(/^#\/(?:\$defs|definitions)\//, "");
    return Object.hasOwn(this.definitions, name) ? this.node(this.definitions[name]) : undefined;
  }

  private list(keyword: string): SchemaNode[] {
    const schemas = this.schema[keyword];
    // `true` adds no constraint but stays an alternative.
    return Array.isArray(schemas)
      ? schemas.flatMap((each) => this.node(each === true ? {} : each) ?? [])
      : [];
  }

  private inside(schemas: Json): [string, SchemaNode][] {
    return Object.entries(schemas).flatMap(([name, schema]): [string, SchemaNode][] => {
      const node = this.node(schema === true ? {} : schema);
      return node === undefined ? [] : [[name, node]];
    });
  }

  private node(schema: unknown): SchemaNode | undefined {
    if (!isRecord(schema)) return undefined;
    const { nodes } = this.document;
    const definitions = { ...this.definitions, ...definitionsOf(schema) };
    return nodes.get(schema) ?? new SchemaNode(schema, definitions, this.document);
  }
}

/** Longer chains of references are assumed to be circular. */
const deepestReference = 20;

function definitionsOf(schema: Json): Json {
  const own = schema["$defs"] ?? schema["definitions"];
  return isRecord(own) ? own : {};
}
