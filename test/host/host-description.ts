/** The description of a host as clients use it: its operations, and the schemas of their answers. */
import { checked, Type, Validator } from "@slipway/sdk";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const Content = Type.Record(Type.String(), Type.Object({ schema: Type.Optional(Type.Unknown()) }));
const DescribedResponse = Type.Object({
  $ref: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  content: Type.Optional(Content),
});
const DescribedOperation = Type.Object({
  operationId: Type.String(),
  tags: Type.Array(Type.String()),
  summary: Type.String({ minLength: 1 }),
  deprecated: Type.Optional(Type.Boolean()),
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  responses: Type.Record(Type.String(), DescribedResponse),
});
const Description = Type.Object({
  openapi: Type.String(),
  info: Type.Object({ version: Type.String() }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), DescribedOperation)),
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Unknown()),
    responses: Type.Record(Type.String(), DescribedResponse),
  }),
});
const checkDescription = new Validator().compile(Description, "description");

export interface OperationOfDescription {
  id: string;
  method: string;
  path: string;
  tags: string[];
  isDeprecated: boolean;
  /** Where the host has keys. */
  asksForKey: boolean;
  /** Statuses of success. */
  successes: number[];
  /** Media types of the first of them. */
  mediaTypes: string[];
}

/** What a host says of itself. */
export class HostDescription {
  readonly operations: OperationOfDescription[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly checks = new Map<string, ValidateFunction>();
  private readonly description;

  constructor(readonly json: unknown) {
    this.description = checked(checkDescription(json), "This is no description");
    formats.default(this.ajv);
    // Members that nobody declared are mistakes here.
    this.ajv.addSchema(
      closed({ paths: this.description.paths, components: this.description.components }),
      "description",
    );
    this.operations = Object.entries(this.description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId, tags, deprecated = false, security, responses }]) => {
          const successes = Object.keys(responses).filter((status) => /^2/.test(status));
          const content = responses[successes[0] ?? ""]?.content ?? {};
          return {
            id: operationId,
            method: method.toUpperCase(),
            path,
            tags,
            isDeprecated: deprecated,
            asksForKey: security.length > 0 && security.every((each) => Object.keys(each).length > 0),
            successes: successes.map(Number),
            mediaTypes: Object.keys(content),
          };
        },
      ),
    );
  }

  /** A host's description; with a query, that of a part. */
  static async of(url: string, query = ""): Promise<HostDescription> {
    const answer = await fetch(`${url}/openapi.json${query}`);
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return new HostDescription(await answer.json());
  }

  get paths(): string[] {
    return Object.keys(this.description.paths);
  }

  get schemas(): string[] {
    return Object.keys(this.description.components.schemas);
  }

  /** What is wrong with an answer; undefined when it is as declared. */
  mistakes(operation: OperationOfDescription, status: number, mediaType: string, value: unknown): unknown {
    const path = [
      "paths",
      operation.path,
      operation.method.toLowerCase(),
      "responses",
      status,
      "content",
      mediaType,
      "schema",
    ];
    const pointer = path.map((part) =>
      encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    const $ref = `description#/${pointer.join("/")}`;
    const check = this.checks.get($ref) ?? this.ajv.compile({ $ref });
    this.checks.set($ref, check);
    return check(value) ? undefined : check.errors;
  }

  /** What is said of an error with this status. */
  errorText({ path, method }: OperationOfDescription, status: number): string {
    const response = this.description.paths[path]?.[method.toLowerCase()]?.responses[status];
    const name = response?.$ref?.split("/").at(-1) ?? "";
    return this.description.components.responses[name]?.description ?? "";
  }
}

/** A copy in which objects have no members beyond those that they declare. */
function closed(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
      const isOpen = "properties" in member && Reflect.get(member, "type") === "object";
      return isOpen && !("additionalProperties" in member)
        ? { ...member, additionalProperties: false }
        : member;
    }),
  );
}
