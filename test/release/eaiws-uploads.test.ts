/** Files that clients of EAIWS put for their sessions: which addresses take them, how many, and what becomes of the one before. */
import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { call, realObk } from "../host/eaiws-support.js";
import { findServer, newDatabase, noServer } from "../host/postgresql-support.js";
import { demoFile } from "../host/sessions-support.js";
import { type StartedHost, startHost } from "../start-host.js";

const none = { plugins: [], templates: [] };
const server = await findServer(t);

const own = (id: string): string => `<sessionId xmlns="">${id}</sessionId>`;

async function opened(host: StartedHost): Promise<string> {
  const [id = ""] = (await call(host.url, "Session", "openSession")).results;
  return id;
}

async function addressOf(host: StartedHost, id: string): Promise<string> {
  const asked = `${own(id)}<fileType xmlns="">Project</fileType>`;
  const [url = ""] = (await call(host.url, "Session", "getUploadURL", asked)).results;
  return url;
}

const put = async (url: string, body: string | Blob): Promise<number> =>
  (await fetch(url, { method: "PUT", body })).status;

/** Its status, and its content if there is one. */
async function content(url: string): Promise<[status: number, text: string]> {
  const answer = await fetch(url);
  const text = await answer.text();
  return [answer.status, answer.ok ? text : ""];
}

const load = (host: StartedHost, id: string, url: string) =>
  call(host.url, "Session", "loadSession", `${own(id)}<uri xmlns="">${url}</uri>`);

/** Bytes of the files of a host. */
async function stored(host: StartedHost): Promise<number> {
  const { files }: { files: { bytes: number } } = JSON.parse(
    await (await fetch(`${host.url}/api/status`)).text(),
  );
  return files.bytes;
}

t.test("only an address that the host gave out for an open session takes a file", async (t) => {
  const host = await startHost(none);
  t.teardown(host.stop);
  const [id, other] = [await opened(host), await opened(host)];
  const url = await addressOf(host, id);
  const invented = [
    url.replace(/[^/]+(?=\/file)/, randomBytes(18).toString("base64url")),
    url.replace(id, other),
    url.replace("file.obk", "other.obk"),
  ];
  for (const each of invented) {
    t.equal(await put(each, "bytes"), 404, each);
    t.strictSame(await content(each), [404, ""]);
    t.equal((await fetch(each, { method: "DELETE" })).status, 404);
  }
  t.equal(await put(url, "bytes"), 204);
  t.equal(await put(url.replace(id, id.toUpperCase()), "others"), 204, "ids are the same in capitals");
  t.strictSame(await content(url), [200, "others"]);
  t.equal(await stored(host), 6);
  t.match(
    await load(host, other, url),
    { fault: /not a ZIP file/ },
    "in other sessions, too: contexts need it",
  );
  t.equal((await fetch(url, { method: "DELETE" })).status, 204);
  t.strictSame(await content(url), [404, ""]);
  t.equal(await put(url, "again"), 204, "an address stays one");
  t.match(await call(host.url, "Session", "closeSession", own(id)), { status: 200 });
  t.equal(await put(url, "bytes"), 404);
  t.equal(await stored(host), 0, "files go with the session that is closed");
});

t.test("files and bytes of one session have limits, and the oldest make room", async (t) => {
  const host = await startHost({
    ...none,
    configuration: { eaiws: { maximumUploads: 3, maximumUploadBytes: 100 } },
  });
  t.teardown(host.stop);
  const id = await opened(host);
  const urls: string[] = [];
  for (let n = 0; n < 4; n += 1) urls.push(await addressOf(host, id));
  const [gone = "", first = "", second = "", third = ""] = urls;
  t.equal(await put(gone, "bytes"), 404, "the oldest address of four");
  const neighbour = await opened(host);
  const theirs = await addressOf(host, neighbour);
  t.equal(await put(theirs, "t".repeat(100)), 204);
  t.equal(await put(first, "a".repeat(40)), 204);
  t.equal(await put(second, "b".repeat(60)), 204);
  t.equal(await put(third, "c".repeat(101)), 413);
  t.equal(await stored(host), 200, "what is refused takes nothing");
  t.equal(await put(third, "c".repeat(30)), 204);
  t.strictSame(
    await Promise.all([first, second, third].map(async (url) => (await content(url))[0])),
    [404, 200, 200],
  );
  t.equal(await put(second, "d".repeat(70)), 204, "what it replaces does not count");
  t.strictSame(await content(third), [200, "c".repeat(30)]);
  t.equal(await put(first, "e".repeat(50)), 204, "an address whose file had to go takes another one");
  t.strictSame(
    await Promise.all([first, second, third].map(async (url) => (await content(url))[0])),
    [200, 404, 404],
  );
  t.strictSame(await content(theirs), [200, "t".repeat(100)], "another session has its own");
  await addressOf(host, id);
  t.equal(await stored(host), 150);
});

/** Two hosts that share a database, or one with its folder. */
async function hosts(t: Test, engine: "files" | "postgresql"): Promise<[StartedHost, StartedHost]> {
  const url = engine === "postgresql" && server !== undefined ? await newDatabase(t, server) : undefined;
  const started = async (): Promise<StartedHost> => {
    const host = await startHost({ ...none, configuration: url === undefined ? {} : { engine: { url } } });
    t.teardown(host.stop);
    return host;
  };
  const one = await started();
  return [one, url === undefined ? one : await started()];
}

for (const engine of ["files", "postgresql"] as const) {
  const skip = engine === "postgresql" && server === undefined && noServer;
  t.test(`a new file replaces the one before it as a whole, kept in ${engine}`, { skip }, async (t) => {
    const [one, other] = await hosts(t, engine);
    const id = await opened(one);
    const url = await addressOf(one, id);
    const elsewhere = `${other.url}${new URL(url).pathname}`;
    // More than a chunk of the database each, and no two alike.
    const bodies = Array.from({ length: 4 }, (_, n) => String(n).repeat(1_100_000 + n * 1000));
    t.equal(await put(url, bodies[0] ?? ""), 204);
    let isWriting = true;
    const read: string[] = [];
    const reading = (async () => {
      while (isWriting) {
        const [status, text] = await content(elsewhere);
        read.push(status === 200 ? text : `status ${status}`);
      }
    })();
    const written = await Promise.all(bodies.map((body, n) => put(n % 2 === 0 ? url : elsewhere, body)));
    isWriting = false;
    await reading;
    t.strictSame([...new Set(written)], [204]);
    t.strictSame(
      read.filter((text) => !bodies.includes(text)).map((text) => text.slice(0, 20)),
      [],
      "nobody sees a mixture, or nothing",
    );
    const [, last] = await content(url);
    t.ok(bodies.includes(last));
    t.strictSame(await content(elsewhere), [200, last]);
    t.equal(await stored(one), last.length, "only the last one is kept");

    t.equal(await put(elsewhere, await realObk()), 204);
    t.match(await load(one, id, url), { status: 200 });
    t.equal(await put(url, new Blob([Uint8Array.from(await demoFile("obk"))])), 204);
    t.match(await load(other, id, url), { status: 200 });
  });
}

t.test(
  "a file that cannot be stored leaves the one before it, which a new start of the host finds",
  async (t) => {
    const place = { ...none, var: t.testdir(), configuration: { files: { maximumBytes: 1000 } } };
    const host = await startHost(place);
    t.teardown(host.stop);
    const id = await opened(host);
    const url = await addressOf(host, id);
    t.equal(await put(url, "first"), 204);
    t.equal(await put(url, "x".repeat(1001)), 503);
    t.strictSame(await content(url), [200, "first"]);
    await host.kill();
    const again = await startHost(place);
    t.teardown(again.stop);
    t.strictSame(await content(again.url + new URL(url).pathname), [200, "first"]);
  },
);
