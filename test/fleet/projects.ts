/** Projects of different sizes that differ in their name alone, and what hosts make of them. */
import { article, project, session } from "../host/sessions-support.js";
import { projectName, sha256 } from "./ledger.js";

/** Articles of a project by its shape. */
const shapes = { small: 1, large: 120 };
export const shapeNames = Object.keys(shapes);

/** Any opening that no client uses. */
const sample = projectName("opening-000000-0000000", 0);

export class Projects {
  private constructor(
    private readonly sent: ReadonlyMap<string, string>,
    private readonly stored: ReadonlyMap<string, string>,
  ) {}

  /** Opens one of each shape on a host at rest, to see what it stores. */
  static async learn(url: string): Promise<Projects> {
    const sent = new Map<string, string>();
    const stored = new Map<string, string>();
    for (const [shape, articles] of Object.entries(shapes)) {
      const text = JSON.stringify(projectOf(articles));
      sent.set(shape, text);
      const headers = { "content-type": "application/json" };
      const opened = await session(
        await fetch(`${url}/api/sessions`, { method: "POST", headers, body: text }),
      );
      const path = `${url}/api/sessions/${opened.sessionId}`;
      stored.set(shape, await (await fetch(`${path}/project`)).text());
      await fetch(path, { method: "DELETE" });
    }
    return new Projects(sent, stored);
  }

  /** The body of a request that opens a session or replaces its project. */
  body(shape: string, name: string): string {
    return (this.sent.get(shape) ?? "").replaceAll(sample, name);
  }

  /** Of the project that a host gives for it. */
  digest(shape: string, name: string): string {
    return sha256((this.stored.get(shape) ?? "").replaceAll(sample, name));
  }
}

function projectOf(articles: number): object {
  const items = Array.from({ length: articles }, (_, index) =>
    article({
      id: `11111111-1111-4111-8111-${String(index).padStart(12, "0")}`,
      articleNumber: `A-${index}`,
      images: [{ tag: "main", asset: "picture" }],
    }),
  );
  return project({ header: { name: sample }, items });
}
