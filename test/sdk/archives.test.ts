/** Archives of files of many sizes hold what was written, for every reader that the machine has. */
import { createHash, randomBytes } from "node:crypto";
import { definePlugin, route, Type } from "@slipway/sdk";
import { createTestHost } from "@slipway/sdk/testing";
import t, { type Test } from "tap";
import { checkZip, readWholeArchive, type ZipReader, zipReaders } from "../foreign-zip-reader.js";

/** At the borders of what files are read, sent and compressed in. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 262_144, 262_145, 5_000_000];

const kinds = ["noise", "text"] as const;

/** Bytes that cannot be compressed, or a text that can. */
function contentOf(kind: (typeof kinds)[number], size: number): Uint8Array {
  if (kind === "noise") return randomBytes(size);
  return Buffer.alloc(size, `<article number="4711" Größe="${size}"/>\n`);
}

/** Not of one size, and none of a power of two. */
function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, length = 1; at < content.byteLength; at += length, length = 1 + ((length * 3) % 90_001))
    yield content.subarray(at, at + length);
}

const File = Type.Object({
  kind: Type.Enum(["noise", "text"]),
  size: Type.Integer(),
  archived: Type.Boolean(),
});

const host = await createTestHost({
  quiet: true,
  plugin: definePlugin({
    setup: ({ files }) => ({
      routes: [
        route.post("pack", {
          summary: "Makes files, and an archive of them.",
          body: Type.Object({ files: Type.Array(File) }),
          async handler({ body }) {
            const made = [];
            const hashes: Record<string, string> = {};
            for (const { kind, size, archived } of body.files) {
              const content = contentOf(kind, size);
              const name = `${kind}-${size}-äöü${archived ? "-announced" : ""}.bin`;
              hashes[name] = createHash("sha256").update(content).digest("hex");
              const mediaType = "application/octet-stream";
              made.push({
                file: await files.create({ name, mediaType, content: piecesOf(content), archived }),
              });
            }
            return { hashes, archive: (await files.archive({ name: "all.zip", files: made })).url };
          },
        }),
      ],
    }),
  }),
});

const everyReader: ZipReader[] = [];
for await (const reader of zipReaders()) everyReader.push(reader);

type FileOfSize = { kind: (typeof kinds)[number]; size: number; archived: boolean };

async function packsWhole(t: Test, files: FileOfSize[], readers?: readonly ZipReader[]): Promise<void> {
  const { json, status } = await host.post("pack", { files });
  t.equal(status, 200);
  const { bytes } = host.file(json.archive);
  await checkZip(bytes, readers);
  const found = [...(await readWholeArchive(bytes))].map(([name, file]) => [
    name,
    createHash("sha256").update(file.bytes).digest("hex"),
  ]);
  t.strictSame(Object.fromEntries(found), json.hashes);
}

const all = [true, false].flatMap((archived) =>
  kinds.flatMap((kind) => sizes.map((size) => ({ kind, size, archived }))),
);

t.test("files of every size, each in an archive of one", async (t) => {
  for (const file of all) await packsWhole(t, [file]);
});

t.test("files of every size in one archive, one after the other", (t) => packsWhole(t, all, everyReader));

t.test("many archives at once", async (t) => {
  const small = all.filter(({ size }) => size < 1_000_000);
  await Promise.all(
    Array.from({ length: 20 }, (_, shift) =>
      packsWhole(t, [...small.slice(shift % small.length), ...small.slice(0, shift % small.length)]),
    ),
  );
});

t.test("the readers find damage", async (t) => {
  const { json } = await host.post("pack", { files: [{ kind: "text", size: 262_144, archived: true }] });
  const damaged = Buffer.from(host.file(json.archive).bytes);
  const middle = damaged.length >> 1;
  // Past the local header, before the directory.
  damaged.writeUInt8(damaged.readUInt8(middle) ^ 0xff, middle);
  for (const reader of everyReader) await t.rejects(checkZip(damaged, [reader]), { message: /cannot read/ });
});
