/** Large order exports through HTTP: what is left of those that do not come to their end. */
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { startHost } from "../start-host.js";
import { OexClient } from "./oex-client.js";
import { article, demoFile, type Json, project } from "./reporter-client.js";

const megabyte = 1024 * 1024;
const articles = 2000;
/** Its Base64 has 60 KB, so that the document has 120 MB; nothing compresses it. */
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  randomBytes(45_000),
]).toString("base64");

// Room for the document, but not for its archive as well.
const host = await startHost({ configuration: { files: { maximumBytes: 150 * megabyte } } });
t.teardown(() => host.stop());
const client = new OexClient(host.url);
const large = await client.open(largeProject());
const config = { exportImages: true };

function largeProject(): Json {
  const images = [{ tag: "default", asset: "picture" }];
  const items = Array.from({ length: articles }, (_, index) => article(index + 1, "12.50", { images }));
  return project(items, { assets: { picture: { mediaType: "image/png", base64: picture } } });
}

function storedFiles(): Promise<string[]> {
  return readdir(join(host.var, "files"));
}

async function until(condition: (files: string[]) => boolean): Promise<void> {
  while (!condition(await storedFiles())) await pause(10);
}

t.test("a client that goes away ends its export, and no file stays", async (t) => {
  const leaving = new AbortController();
  const exporting = fetch(`${host.url}/EAIWS/plugins/oex/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId: large, config }),
    signal: leaving.signal,
  });
  const given = t.rejects(exporting, { name: "AbortError" });
  // The OBX is complete, and the document is being written.
  await until((files) => files.filter((name) => name.endsWith(".content")).length === 2);
  leaving.abort();
  await given;
  await host.logged(({ msg }) => msg === "request without its whole answer");
  await until((files) => files.length === 0);
  await stillServes(t);
});

t.test("an export that finds no room for its last file says so, and no file stays", async (t) => {
  const before = (await storedFiles()).length;
  const answer = await client.export({ sessionId: large, config });
  t.match(answer, {
    status: 503,
    json: { id: "request-overloaded", message: /no room for generated files/ },
  });
  await until((files) => files.length === before);
  await stillServes(t);
});

/** With the instance that it had, which is not ended for an export that was given up. */
async function stillServes(t: Test): Promise<void> {
  const demo = await client.open(await demoFile("json"));
  const { oex } = await client.exported(demo);
  t.ok(oex !== undefined && oex.bytes.length > 0);
  const ended = host.log.filter(({ msg }) => /^An instance of a plugin/.test(String(msg)));
  t.strictSame(ended, []);
}
