import type { TSchema } from "@slipway/sdk";
import { type Answer, changesPlugins, type OperationFacts, takesJson } from "../operation.js";
import { commonErrors, type DocumentParts, type ErrorIds } from "./document-parts.js";
import { pathParameters, queryParameters, templatedPath } from "./parameters.js";
import type { Json, SchemaComponents, SchemaUse } from "./schema-components.js";

const tags: Record<OperationFacts["tag"], string> = {
  sessions: "Open projects, which plugins work on.",
  jobs: "Requests that are answered later.",
  plugins: "What runs, what ran, and what shall run.",
  templates: "Where the templates of reports stand.",
  events: "What happened, and what happens.",
  host: "The host itself, and what it keeps for clients.",
};

/** Adds the operations of the host. */
export function addHostPaths(parts: DocumentParts, operations: readonly OperationFacts[]): void {
  for (const [name, description] of Object.entries(tags)) parts.tag(name, description);
  for (const facts of operations) {
    const path = templatedPath(facts.path);
    parts.add({ path, method: facts.method, id: facts.id }, hostOperation(parts, facts));
  }
}

function hostOperation(parts: DocumentParts, facts: OperationFacts): Json {
  const { schemas, errors } = parts;
  const use = { direction: "request" } as const;
  const body = requestBody(schemas, facts);
  return {
    tags: [facts.tag],
    summary: facts.summary,
    ...(facts.description !== undefined && { description: facts.description }),
    parameters: [...pathParameters(facts, schemas, use), ...queryParameters(facts.query, schemas, use)],
    ...(body !== undefined && { requestBody: body }),
    responses: { ...errors.of(errorsOf(facts, body !== undefined)), ...answers(schemas, facts) },
    security: facts.roles.map((role) => ({ apiKey: [role] })),
  };
}

function errorsOf(facts: OperationFacts, hasBody: boolean): ErrorIds[] {
  const { roles, isGuarded, errors } = facts;
  return [
    commonErrors.always,
    ...(roles.length > 0 ? [commonErrors.keys] : []),
    ...(isGuarded ? [commonErrors.foreignPages] : []),
    ...(changesPlugins(facts) ? [commonErrors.audited] : []),
    ...(hasBody ? [commonErrors.body] : []),
    ...(errors === undefined ? [] : [errors]),
  ];
}

function requestBody(schemas: SchemaComponents, facts: OperationFacts): Json | undefined {
  const { upload, body } = facts;
  const place = (schema: TSchema | undefined): Json => content(schemas, schema, "request");
  if (upload !== undefined) {
    const types = Object.entries(upload).map(([mediaType, schema]) => [mediaType, place(schema)]);
    return { required: true, content: Object.fromEntries(types) };
  }
  if (!takesJson(facts)) return undefined;
  // A body of "{}" is required even without members: the JSON type excludes forms of foreign pages.
  return { required: true, content: { "application/json": place(body) } };
}

function answers(schemas: SchemaComponents, facts: OperationFacts): Json {
  const described = Object.entries(facts.answers).map(([status, answer]) => [
    status,
    answerOf(schemas, answer),
  ]);
  return Object.fromEntries(described);
}

function answerOf(schemas: SchemaComponents, answer: Answer): Json {
  const { description, headers, stream } = answer;
  const types = Object.entries(answer.content ?? {}).map(([mediaType, schema]) => [
    mediaType,
    content(schemas, schema, "answer"),
  ]);
  if (stream !== undefined) types.push(["text/event-stream", content(schemas, stream.data, "answer")]);
  const streamed = stream && `As a stream: events \`${stream.event}\`, each with the data of its schema.`;
  return {
    description: [description, streamed].filter((text) => text !== undefined).join(" "),
    ...(headers !== undefined && { headers: headersOf(headers) }),
    ...(types.length > 0 && { content: Object.fromEntries(types) }),
  };
}

function headersOf(headers: Readonly<Record<string, string>>): Json {
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return Object.fromEntries(described);
}

/** Bytes have no schema; client generators recognise this form. */
function content(
  schemas: SchemaComponents,
  schema: TSchema | undefined,
  direction: SchemaUse["direction"],
): Json {
  if (schema === undefined) return { schema: { type: "string", format: "binary" } };
  return { schema: schemas.place(schema, { direction }) };
}
