import type { RevisionContent, SessionFacts } from "../../sessions/sessions.js";
import { chunkLength, chunksOf } from "./chunks.js";
import type { Connection } from "./connection.js";

/** Rows of one statement; its parameters are numbered with 16 bits. */
const mostRows = 1000;

/** The name of a project among the contents of its session; assets are named by their SHA-256. */
export function projectName(revision: number): string {
  return `project-${revision}`;
}

interface ContentRow {
  name: string;
  n: number;
  data: Uint8Array;
}

/**
 * Stores the project and the assets of a revision. Skips existing content: an asset of an earlier revision, or the
 * content of a concurrent replacement, which wins then.
 */
export async function insertContent(
  connection: Connection,
  { id, revision }: SessionFacts,
  { project, assets }: RevisionContent,
): Promise<void> {
  const contents = [
    { name: projectName(revision), content: project },
    // The same order in concurrent replacements prevents deadlocks.
    ...assets
      .map(({ sha256, content }) => ({ name: sha256, content }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  ];
  let rows: ContentRow[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const values = rows.map((_, index) => `($1, $${3 * index + 2}, $${3 * index + 3}, $${3 * index + 4})`);
    await connection.query(
      `INSERT INTO slipway.content (session, name, n, data) VALUES ${values.join(", ")} ON CONFLICT DO NOTHING`,
      [id, ...rows.flatMap(({ name, n, data }) => [name, n, data])],
    );
    rows = [];
    bytes = 0;
  };
  for (const { name, content } of contents) {
    for (const [n, data] of [...chunksOf(content)].entries()) {
      if (rows.length > 0 && (bytes + data.length > chunkLength || rows.length === mostRows)) await flush();
      rows.push({ name, n, data });
      bytes += data.length;
    }
  }
  await flush();
}
