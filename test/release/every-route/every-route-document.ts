/** What a description says of the ways into each operation: parameters, bodies, roles, and how it may end. */
import { checked, Type, Validator } from "@slipway/sdk";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { HostDescription, type OperationOfDescription } from "../../host/host-description.js";

export type Schema = Readonly<Record<string, unknown>>;

const Parameter = Type.Object({
  name: Type.String(),
  in: Type.Enum(["path", "query", "header"]),
  required: Type.Optional(Type.Boolean()),
  schema: Type.Record(Type.String(), Type.Unknown()),
});
const Described = Type.Object({
  security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
  parameters: Type.Array(Parameter),
  requestBody: Type.Optional(
    Type.Object({
      content: Type.Record(
        Type.String(),
        Type.Object({ schema: Type.Record(Type.String(), Type.Unknown()) }),
      ),
    }),
  ),
  responses: Type.Record(Type.String(), Type.Unknown()),
});
const checkDocument = new Validator().compile(
  Type.Object({
    paths: Type.Record(Type.String(), Type.Record(Type.String(), Described)),
    components: Type.Object({
      schemas: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
    }),
  }),
  "document",
);

export interface ParameterOfRoute {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
}

/** An operation with what it takes. */
export interface Route {
  operation: OperationOfDescription;
  /** One of them is enough; none where everybody may. */
  roles: string[];
  isOfPlugin: boolean;
  parameters: ParameterOfRoute[];
  /** Of a body in JSON. */
  body: Schema | undefined;
  /** Media types of bodies. */
  takes: string[];
}

/** A description that can also tell what fits the schemas of requests. */
export class RequestDescription {
  readonly routes: Route[];
  readonly answers: HostDescription;
  private readonly schemas: Readonly<Record<string, Schema>>;
  private readonly exact: Ajv2020;
  private readonly coercing: Ajv2020;
  private readonly checks = new Map<Schema, (value: unknown) => boolean>();
  private readonly textChecks = new Map<Schema, (value: unknown) => boolean>();

  constructor(json: unknown) {
    this.answers = new HostDescription(json);
    // Parts of it are compiled on their own, so they refer to it by name.
    const named: unknown = JSON.parse(
      JSON.stringify(json).replaceAll('"#/components/', '"document#/components/'),
    );
    const { paths, components } = checked(checkDocument(named), "This is no description");
    this.schemas = components.schemas;
    this.exact = ajv(components, false);
    this.coercing = ajv(components, true);
    this.routes = this.answers.operations.map((operation): Route => {
      const described = paths[operation.path]?.[operation.method.toLowerCase()];
      if (described === undefined) throw new Error(`${operation.id} is not described`);
      const { parameters, security, requestBody } = described;
      const content = requestBody?.content ?? {};
      return {
        operation,
        roles: security.flatMap((each) => each["apiKey"] ?? []),
        isOfPlugin: operation.path.includes("/EAIWS/"),
        parameters: parameters.map((each) => ({ ...each, required: each.required ?? false })),
        body: content["application/json"]?.schema,
        takes: Object.keys(content),
      };
    });
  }

  /** The schema that a reference means; any other one as it is. */
  resolved(schema: Schema): Schema {
    const { $ref: reference } = schema;
    if (typeof reference !== "string") return schema;
    const found = this.schemas[reference.split("/").at(-1) ?? ""];
    if (found === undefined) throw new Error(`${reference} leads nowhere`);
    return this.resolved(found);
  }

  /** Whether a JSON value, or with `isText` the text of a parameter, is as declared. */
  fits(schema: Schema, value: unknown, isText = false): boolean {
    const checks = isText ? this.textChecks : this.checks;
    // In an object, because texts become numbers in their place.
    const outer = { type: "object", properties: { value: schema } };
    const check = checks.get(schema) ?? (isText ? this.coercing : this.exact).compile(outer);
    checks.set(schema, check);
    return check({ value });
  }

  /** Ids of errors with this status that are declared; undefined when the status is not. */
  errorIds({ operation }: Route, status: number): string[] | undefined {
    const text = this.answers.errorText(operation, status);
    return text === "" ? undefined : [...text.matchAll(/`([a-z-]+)`/g)].map(([, id = ""]) => id);
  }
}

function ajv(components: object, coerceTypes: boolean): Ajv2020 {
  const made = new Ajv2020({ strict: false, coerceTypes, validateSchema: false });
  formats.default(made);
  made.addSchema({ components }, "document");
  return made;
}
