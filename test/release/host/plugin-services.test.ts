/**
 * The services that plugins offer, as callers find them: over HTTP and as TypeScript. The code of schemas is also tested by itself,
 * with more schemas than a plugin has.
 */
import { join } from "node:path";
import { type TSchema, Type } from "@slipway/sdk";
import t from "tap";
import { typeCode } from "../../../host/cli/type-code.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

interface Service {
  plugin: string;
  version: string;
  service: string;
  method: string;
  input?: unknown;
  output?: unknown;
}

let host: StartedHost;
t.before(async () => {
  host = await startHost({ plugins: [join(repository, "test", "sdk", "parity")], templates: [t.testdir()] });
});
t.teardown(() => host.stop());

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What the code of a schema evaluates to, as JSON. */
const made = (code: string): unknown => asJson(new Function("Type", `return ${code}`)(Type));

async function services(query = ""): Promise<Service[]> {
  const answer = await fetch(`${host.url}/api/services${query}`);
  t.equal(answer.status, 200);
  return Object(await answer.json()).services;
}

t.test("the services of live plugins are told with their schemas", async (t) => {
  const all = await services();
  t.ok(all.length > 5);
  t.strictSame([...new Set(all.map(({ plugin }) => plugin))], ["Greeting"], "the other one offers none");
  t.match(
    all.find(({ method }) => method === "greet"),
    { version: /^2\./, releases: ["1.0"], service: "greeter", summary: /\w/, session: "none", input: Object },
  );
  t.strictSame(await services("?plugin=hello"), all, "by an alias");
  const unknown = await fetch(`${host.url}/api/services?plugin=Greting`);
  t.equal(unknown.status, 404);
  t.match(await unknown.json(), { id: "request-not-found" });
});

t.test("slipway plugin types prints schemas and types for callers", async (t) => {
  const types = (...parameters: string[]) =>
    runCommand(["plugin", "types", ...parameters, "--url", host.url]);
  const { code, output, errors } = await types("hello");
  t.equal(code, 0, errors);
  t.match(output, /^\/\*\* The services of Greeting 2\.\d+\.\d+, /);
  const declarations = [
    ...output.matchAll(/^export const (\w+) = (.*?);\nexport type (\w+) = Static<typeof (\w+)>;$/gms),
  ];
  const found = new Map(declarations.map(([, name = "", code = ""]) => [name, made(code)]));
  for (const { method, output } of await services()) {
    const name = `Greeter${method.charAt(0).toUpperCase()}${method.slice(1)}`;
    t.strictSame(found.get(`${name}Output`), output, `output of ${method}`);
  }
  t.match(found.get("GreeterGreetInput"), { type: "object", properties: { name: { type: "string" } } });

  const none = await types("Answering");
  t.match([none.code, none.errors], [1, /Answering offers no services\./]);
  const other = await types("Greeting", "--version", "^1.0.0");
  t.match([other.code, other.errors], [1, /No version of Greeting in \^1\.0\.0 serves; .* 2\.\d+\.\d+\./]);
  const wrong = await types("Greeting", "--version", "newest");
  t.match([wrong.code, wrong.errors], [1, /--version must be a version range .* but is "newest"/]);
});

t.test("the code of a schema makes the same schema", async (t) => {
  const schemas: Record<string, TSchema> = {
    object: Type.Object(
      { a: Type.String({ minLength: 1, description: 'It says "a".' }), "b-c": Type.Optional(Type.Integer()) },
      { additionalProperties: false },
    ),
    "nested lists": Type.Array(Type.Array(Type.Object({ on: Type.Boolean(), none: Type.Null() })), {
      maxItems: 3,
    }),
    union: Type.Union([Type.Literal("a"), Type.Literal(5), Type.Number({ maximum: 1.5 })]),
    intersection: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
    enumeration: Type.Enum(["a", "b"], { default: "a" }),
    record: Type.Record(Type.String(), Type.Array(Type.Number())),
    "record by pattern": Type.Record(Type.String({ pattern: "^[a-z]+$" }), Type.Unknown(), {
      maxProperties: 5,
    }),
    anything: Type.Unknown({ description: "Anything." }),
    reference: Type.Unsafe<unknown>({ $ref: "#/$defs/a" }),
    several: Type.Unsafe<unknown>({ type: ["string", "null"] }),
  };
  for (const [name, schema] of Object.entries(schemas))
    t.strictSame(made(typeCode(asJson(schema), "output")), asJson(schema), name);
  const filled = Type.Object({ a: Type.String({ default: "x" }), b: Type.String() });
  t.match(
    made(typeCode(asJson(filled), "input")),
    { required: ["b"] },
    "callers may leave out what has a default",
  );
});
