/**
 * Writes sessions into a store as fast as it can and tells of each that is stored, until it is killed. Uses the part itself:
 * over HTTP too few writes would be under way when it is killed.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createFileSessionStore } from "../../host/sessions/file-session-store.js";

const [folder = ""] = process.argv.slice(2);
const ignore = (): void => undefined;
const store = createFileSessionStore({
  folder,
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
});
const summary = {
  id: "",
  name: "",
  number: "",
  currency: "",
  languages: [],
  items: 0,
  articles: 0,
  views: [],
  schemes: [],
};

/** A content whose completeness shows: its length and its end are part of it. */
function content(id: string, revision: number): Buffer {
  return Buffer.from(JSON.stringify({ id, revision, filling: "x".repeat(200_000), end: true }));
}

async function writer(): Promise<void> {
  for (;;) {
    const id = randomUUID();
    const record = { id, locale: "en", created: Date.now(), expiresAt: Date.now() + 3_600_000, summary };
    const asset = {
      sha256: randomBytes(32).toString("hex"),
      mediaType: "text/plain",
      content: content(id, 0),
    };
    await store.create({ ...record, revision: 1 }, content(id, 1), [asset]);
    process.stdout.write(`${id} 1 ${asset.sha256}\n`);
    for (let revision = 2; revision < 5; revision += 1) {
      await store.replace({ ...record, revision }, content(id, revision), [], [asset.sha256]);
      process.stdout.write(`${id} ${revision} ${asset.sha256}\n`);
    }
    await store.remove(id);
    process.stdout.write(`${id} removed\n`);
  }
}

await store.open();
await Promise.all([writer(), writer(), writer()]);
