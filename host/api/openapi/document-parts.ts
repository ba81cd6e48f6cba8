import { ErrorAnswers } from "./error-answers.js";
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
