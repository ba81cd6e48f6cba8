/** The engine in a folder of one host, tested by itself: its contract, and what it leaves on the disk. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { testEngine } from "../../host/engine-contract.js";
import { facts, file, fileEngines, terms } from "../../host/engine-support.js";

testEngine(fileEngines);

t.test("what a crash left half written is swept, and what has ended leaves nothing", async (t) => {
  const place = await fileEngines.place(t);
  const before = await place.engine();
  const { id } = await before.sessions.create(facts(), { project: Buffer.from("{}"), assets: [] }, terms);
  const { id: fileId } = await before.artifacts.create(file(Buffer.from("abc")));
  await before.close();
  const folders = ["sessions", "files"].map((name) => join(place.address, name));
  const [sessions = "", files = ""] = folders;
  await mkdir(join(sessions, "half.part"));
  await writeFile(join(sessions, id, "project-2.json"), "half");
  await writeFile(join(sessions, id, "assets", "0"), "half");
  await writeFile(join(files, "left.content"), "half");

  const engine = await place.engine();
  t.strictSame(await readdir(sessions), [id]);
  t.strictSame((await readdir(join(sessions, id))).sort(), ["assets", "project-1.json", "record.json"]);
  t.strictSame(await readdir(join(sessions, id, "assets")), []);
  t.strictSame((await readdir(files)).sort(), [`${fileId}.content`, `${fileId}.json`]);
  await place.pass(120_000);
  await engine.sessions.removeExpired(() => undefined);
  await engine.artifacts.removeExpired();
  for (const folder of folders) t.strictSame(await readdir(folder), []);
});
