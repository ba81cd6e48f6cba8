import { AbortingError, SuppressedError } from "@slipway/sdk";
import { type Json, SchemaComponents } from "./schema-components.js";

/** Collects the parts of a document. */
export class DocumentParts {
  readonly schemas = new SchemaComponents();
  readonly errors = new ErrorAnswers(this.schemas);
  private readonly paths = new Map<string, Json>();
  private readonly tags = new Map<string, string>();
  private readonly ids = new Set<string>();

  /** Adds an operation; a duplicate id gets a number. */
  add(place: { path: string; method: string; id: string }, operation: Json): void {
    const members = this.paths.get(place.path) ?? {};
    members[place.method.toLowerCase()] = { operationId: this.uniqueId(place.id), ...operation };
    this.paths.set(place.path, members);
  }

  /** Adds a tag unless it exists. */
  tag(name: string, description: string): void {
    if (!this.tags.has(name)) this.tags.set(name, description);
  }

  /** The members of the document that operations fill. */
  members(): Json {
    return {
      tags: [...this.tags].map(([name, description]) => ({ name, description })),
      paths: Object.fromEntries(this.paths),
      components: {
        schemas: this.schemas.all,
        responses: this.errors.all,
        securitySchemes: { apiKey },
      },
    };
  }

  private uniqueId(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.ids.has(id); count++) id = `${wanted}${count}`;
    this.ids.add(id);
    return id;
  }
}

const apiKey = {
  type: "http",
  scheme: "bearer",
  description: [
    "A key of this host, as `slipway key new` prints it. Where there are no keys, nobody needs one. An operation lists",
    "the roles of which a key has to have one: `read` looks at everything but sessions, `operate` also changes plugins,",
    "`sessions` opens and uses sessions, and calls plugins where those ask for keys.",
  ].join(" "),
};

/** Ids of errors by status. */
export type ErrorIds = Readonly<Record<number, readonly string[]>>;

/** Error ids of groups of operations. */
export const commonErrors = {
  /** Of every operation. */
  always: {
    400: ["request-bad-request"],
    413: ["request-too-large"],
    414: ["request-too-large"],
    421: ["request-misdirected"],
    500: ["internal-error"],
    503: ["host-stopping"],
  },
  /** Of operations that may require a key. */
  keys: { 401: ["request-unauthorized"], 403: ["request-forbidden"], 429: ["request-rate-limited"] },
  /** Of operations that refuse pages of other origins. */
  foreignPages: { 403: ["request-forbidden"] },
  /** Of audited operations. */
  audited: { 503: ["audit-unavailable"] },
  /** Of operations with a body. */
  body: { 408: ["request-timeout"], 415: ["request-unsupported-media-type"] },
} as const satisfies Record<string, ErrorIds>;

/** Merges several tables. */
function joinedErrors(tables: readonly ErrorIds[]): Map<number, Set<string>> {
  const joined = new Map<number, Set<string>>();
  for (const [status, ids] of tables.flatMap((table) => Object.entries(table))) {
    const known = joined.get(Number(status)) ?? new Set();
    for (const id of ids) known.add(id);
    joined.set(Number(status), known);
  }
  return joined;
}

const retried = new Set([429, 503]);

/** Responses with an error object; equal ones share an entry under `components`. */
class ErrorAnswers {
  private readonly answers = new Map<string, Json>();

  constructor(private readonly schemas: SchemaComponents) {
    // Plugins use the same schemas.
    for (const schema of [AbortingError, SuppressedError]) schemas.place(schema, { direction: "answer" });
  }

  get all(): Json {
    return Object.fromEntries([...this.answers].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** References by status. */
  of(errors: readonly ErrorIds[]): Json {
    const joined = [...joinedErrors(errors)].sort(([one], [other]) => one - other);
    return Object.fromEntries(
      joined.map(([status, ids]) => [status, this.answer(`Error${status}`, status, [...ids].sort())]),
    );
  }

  /** For errors specific to a plugin. */
  ofPlugin(): Json {
    return this.answer("PluginErrors", undefined, []);
  }

  private answer(label: string, status: number | undefined, ids: readonly string[]): Json {
    const name = [label, ...ids].join(".");
    if (!this.answers.has(name)) {
      this.answers.set(name, {
        description:
          ids.length === 0
            ? "An error of the plugin's own, which its documentation lists."
            : `An error object, with the id ${ids.map((id) => `\`${id}\``).join(" or ")}.`,
        ...(status !== undefined && headersOf(status)),
        content: {
          "application/json": {
            schema: this.schemas.place(AbortingError, { direction: "answer" }),
          },
        },
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }
}

function headersOf(status: number): Json {
  const text = (description: string): Json => ({ description, schema: { type: "string" } });
  if (status === 401) return { headers: { "WWW-Authenticate": text("`Bearer`.") } };
  if (retried.has(status)) return { headers: { "Retry-After": text("Seconds, where waiting helps.") } };
  return {};
}
