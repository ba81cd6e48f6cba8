/**
 * The schema files that the build writes still describe the documents of their first version: settings and templates that
 * were right are not refused, and what templates could rely on in the data of a report is still promised.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import t from "tap";
import { membersOf, occurringMembers } from "../plugins/report-data-schema.js";
import { isJson, type Json } from "../plugins/reporter-client.js";
import { repository } from "../start-host.js";

const Paths = Type.Array(Type.String());
/** See test/compatibility/README.md. */
const Recorded = Type.Object({
  /** Objects that take members which the schema does not name. */
  open: Paths,
  /** Of documents that Slipway makes: members that may be missing, and those that may be null. */
  optional: Type.Optional(Paths),
  nullable: Type.Optional(Paths),
  documents: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
type Recorded = Static<typeof Recorded>;
const checkRecorded = new Validator().compile(Recorded, "recorded");

const files = {
  "config/slipway.schema.json": "recorded-settings.json",
  "sdk/schemas/template.schema.json": "recorded-template.json",
  "sdk/schemas/report-data.schema.json": "recorded-report-data.json",
};

for (const [file, recording] of Object.entries(files))
  t.test(`${file} describes what was recorded in ${recording}`, (t) => {
    const schema = json(file);
    const recorded = checked(checkRecorded(json("test", "compatibility", recording)), recording);
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    for (const document of recorded.documents)
      t.ok(validate(document), "what was right is right", { errors: validate.errors });
    const found = new Set(
      recorded.documents.flatMap((each) => [...occurringMembers(schema, each, "document")]),
    );
    t.strictSame(
      membersOf(schema, "document").flatMap(({ name }) => (found.has(name) ? [] : name)),
      [],
      "every member is in a document: add it where it is missing",
    );
    t.strictSame(promised(recorded, validate), [], "what was promised is promised");
    t.end();
  });

function json(...path: string[]): Json {
  const value: unknown = JSON.parse(readFileSync(join(repository, ...path), "utf8"));
  if (!isJson(value)) throw new TypeError(`${path.join("/")} is no JSON object`);
  return value;
}

/** Where a schema allows what it did not: further members, and, in documents that Slipway makes, none or null. */
function promised({ documents, open, optional, nullable }: Recorded, validate: ValidateFunction): string[] {
  const broken = new Set<string>();
  for (const document of documents)
    for (const { path, object } of objectsIn(document)) {
      const allows = (change: string, at: string, known: readonly string[] | undefined): void => {
        if (known !== undefined && !known.includes(at) && validate(document)) broken.add(`${change} ${at}`);
      };
      object["unknown"] = {};
      allows("unknown members of", path, open);
      delete object["unknown"];
      for (const [name, value] of Object.entries(object)) {
        const at = path === "" ? name : `${path}.${name}`;
        object[name] = null;
        allows("null as", at, nullable);
        delete object[name];
        allows("no", at, optional);
        object[name] = value;
      }
    }
  return [...broken];
}

/** All objects of a document with the paths by which recordings name them: "items[].image", also for the items of a folder. */
function* objectsIn(value: unknown, path = ""): Generator<{ path: string; object: Json }> {
  if (Array.isArray(value))
    for (const each of value)
      yield* objectsIn(each, path.endsWith(".children") ? path.slice(0, -9) : `${path}[]`);
  if (!isJson(value)) return;
  yield { path, object: value };
  for (const [name, member] of Object.entries(value))
    yield* objectsIn(member, path === "" ? name : `${path}.${name}`);
}
