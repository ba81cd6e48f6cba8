/** Files that a plugin writes piece by piece, with texts that come again and again, and their archives. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { readWholeArchive } from "../foreign-zip-reader.js";
import { pluginFiles } from "../host/plugins-support.js";
import { writeFiles } from "../host/templates-support.js";
import { type StartedHost, startHost } from "../start-host.js";

/** Its files are made of blocks, which a request describes: repeated texts, other texts, and noise. */
const packer = pluginFiles(
  "packer",
  "1.0.0",
  `import { createHash, randomBytes } from "node:crypto";
import { definePlugin, RepeatedText, route, Type } from "@slipway/sdk";

const Block = Type.Object({
  /** A repeated text with this number, or noise. */
  repeated: Type.Optional(Type.Integer()),
  text: Type.Optional(Type.String()),
  bytes: Type.Optional(Type.Integer()),
});
const File = Type.Object({
  name: Type.String(),
  archived: Type.Boolean(),
  times: Type.Integer({ default: 1 }),
  blocks: Type.Array(Block),
  fails: Type.Boolean({ default: false }),
});

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("pack.json", {
        summary: "Makes files, and an archive of them.",
        body: Type.Object({ files: Type.Array(File), hangs: Type.Boolean({ default: false }) }),
        timeout: "120s",
        async handler({ body, signal }) {
          const hashes = [];
          const one = async ({ name, archived, times, blocks, fails }) => {
            const hash = createHash("sha256");
            const texts = new Map();
            async function* content() {
              for (let time = 0; time < times; time++) {
                for (const { repeated, text, bytes = 0 } of blocks) {
                  const chunk = text ?? (repeated === undefined ? randomBytes(bytes) : textOf(texts, repeated, bytes));
                  hash.update(String(chunk) === chunk ? Buffer.from(chunk) : chunk instanceof RepeatedText ? chunk.text : chunk);
                  yield chunk;
                }
              }
              if (fails) throw new Error("no more");
              hashes.push([name, hash.digest("hex")]);
            }
            return await host.files.create({ name, mediaType: "application/octet-stream", content: content(), archived });
          };
          const made = await Promise.all(body.files.map(one));
          if (body.hangs) {
            host.log.info("hanging");
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          }
          const archive = await host.files.archive({ name: "all.zip", files: made.map((file) => ({ file })) });
          return { files: made.map(({ url }) => url), archive: archive.url, hashes: Object.fromEntries(hashes) };
        },
      }),
    ],
  }),
});

/** Of one character more than asked for, which takes two bytes. */
function textOf(texts, number, bytes) {
  if (!texts.has(number)) texts.set(number, new RepeatedText("ä" + randomBytes(bytes).toString("base64").slice(0, bytes)));
  return texts.get(number);
}
`,
);

interface Block {
  repeated?: number;
  text?: string;
  bytes?: number;
}

interface File {
  name: string;
  archived: boolean;
  times?: number;
  blocks: Block[];
  fails?: boolean;
}

interface Packed {
  files: string[];
  archive: string;
  /** SHA-256 of the content, by name. */
  hashes: Record<string, string>;
}

let folder: string;
let host: StartedHost;
t.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-archived-files-"));
  await writeFiles(join(folder, "plugins", "packer"), packer);
  host = await startHost({
    plugins: [join(folder, "plugins")],
    templates: [],
  });
});
t.teardown(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

function post(body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${host.url}/EAIWS/plugins/packer/pack.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function pack(t: Test, files: File[]): Promise<Packed> {
  const answer = await post({ files });
  const body: Packed = JSON.parse(await answer.text());
  t.equal(answer.status, 200, JSON.stringify(body).slice(0, 500));
  return body;
}

async function bytesOf(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toString("hex");
}

/** Files and archive hold what the plugin wrote. */
async function sameContent(t: Test, { files, archive, hashes }: Packed): Promise<void> {
  const unpacked = await readWholeArchive(await bytesOf(archive));
  const fetched = await Promise.all(files.map(bytesOf));
  for (const [index, [name, content]] of [...unpacked].entries()) {
    t.equal(await sha256(content.bytes), hashes[name], `${name} in the archive`);
    t.equal(await sha256(fetched[index] ?? Buffer.alloc(0)), hashes[name], name);
  }
  t.equal(unpacked.size, files.length);
}

const generated = async (): Promise<string[]> => readdir(join(host.var, "files"));

t.test("repeated texts stand where the plugin put them, in the file and in the archive", async (t) => {
  const blocks: Block[] = [
    { text: "begin \ud83d" },
    { repeated: 1, bytes: 20_000 },
    { text: "\ude00 two halves, " },
    { repeated: 2, bytes: 1500 },
    { repeated: 1, bytes: 20_000 },
    { bytes: 5000 },
    { repeated: 3, bytes: 10 },
    { text: "" },
    { repeated: 4, bytes: 300_000 },
  ];
  for (const archived of [true, false]) {
    const few = await pack(t, [{ name: "few.xml", archived, blocks }]);
    await sameContent(t, few);
    await sameContent(t, await pack(t, [{ name: "many.xml", archived, times: 40, blocks }]));
  }
});

t.test("files are whole in the archive, empty ones and those that exceed the memory for it", async (t) => {
  const files: File[] = [
    { name: "empty", archived: true, blocks: [] },
    {
      name: "large",
      archived: true,
      times: 55,
      blocks: [{ bytes: 1024 * 1024 }, { repeated: 1, bytes: 9000 }],
    },
    // More repeated texts than the host keeps.
    {
      name: "texts",
      archived: true,
      times: 2,
      blocks: Array.from({ length: 120 }, (_, repeated) => ({ repeated, bytes: 250_000 })),
    },
    { name: "plain", archived: false, times: 3, blocks: [{ bytes: 700_000 }] },
  ];
  await sameContent(t, await pack(t, files));
});

t.test("a file that fails while another one is deflated leaves nothing", async (t) => {
  const before = await generated();
  const blocks: Block[] = [{ bytes: 500_000 }, { repeated: 1, bytes: 20_000 }];
  const answer = await post({
    files: [
      { name: "sound", archived: true, times: 20, blocks },
      { name: "failing", archived: true, times: 3, blocks, fails: true },
    ],
  });
  t.equal(answer.status, 500);
  await answer.text();
  await untilSame(before);
  await sameContent(t, await pack(t, [{ name: "next", archived: true, blocks }]));
});

t.test("a client that goes away ends the work, and leaves nothing", async (t) => {
  const before = await generated();
  const leaving = new AbortController();
  const blocks: Block[] = [{ bytes: 500_000 }, { repeated: 1, bytes: 20_000 }];
  const answer = post(
    { files: [{ name: "left", archived: true, times: 5, blocks }], hangs: true },
    leaving.signal,
  );
  await host.logged((line) => line["msg"] === "hanging");
  leaving.abort();
  await t.rejects(answer, { name: "AbortError" });
  await untilSame(before);
});

/** Resolves once the store holds the same files as before. */
async function untilSame(before: readonly string[]): Promise<void> {
  const wanted = [...before].sort().join();
  while ([...(await generated())].sort().join() !== wanted)
    await new Promise((resolve) => setImmediate(resolve));
}
