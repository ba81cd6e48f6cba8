/**
 * What archives and files in pieces do at their limits. Tested by itself: an archive beyond 4 GB takes minutes to make, and
 * the SDK sends only pieces that are right.
 */
import t from "tap";
import { fromBufferPromise } from "yauzl";
import { MemoryBudget } from "../../sdk/runtime/archives/memory-budget.js";
import { ZipStream } from "../../sdk/runtime/archives/zip-stream.js";
import { type FilePiece, IncomingFile } from "../../sdk/runtime/calls/incoming-file.js";
import { monotonicClock } from "../../sdk/runtime/calls/work.js";
import { MemoryFiles } from "../../sdk/testing/memory/memory-files.js";

const date = new Date("2026-03-01T12:34:56Z");

t.test("entries beyond 4 GB, and more than 65,535 of them, are in the directory", async (t) => {
  const zip = new ZipStream();
  const large = 5_000_000_000;
  const parts = [zip.begin({ name: "Größe.xml", date, bytes: large }), Buffer.alloc(10)];
  parts.push(zip.end({ crc: 7, bytes: large, deflatedBytes: 10 }));
  for (let index = 0; index < 70_000; index += 1) {
    parts.push(zip.begin({ name: `${index}`, date, bytes: 0 }));
    parts.push(Buffer.from([0b11, 0]), zip.end({ crc: 0, bytes: 0, deflatedBytes: 2 }));
  }
  const archive = await fromBufferPromise(Buffer.concat([...parts, zip.directory()]), { lazyEntries: true });
  t.equal(archive.entryCount, 70_001);
  const found: { fileName: string; uncompressedSize: number; compressedSize: number; crc32: number }[] = [];
  for await (const entry of archive.eachEntry()) found.push(entry);
  t.match(found[0], { fileName: "Größe.xml", uncompressedSize: large, compressedSize: 10, crc32: 7 });
  t.match(found.at(-1), { fileName: "69999", uncompressedSize: 0, compressedSize: 2 });
});

t.test("pieces with insertions that cannot be are refused, and leave no file", async (t) => {
  const text = Buffer.alloc(2000, "x");
  const piece = { bytes: Buffer.alloc(10), texts: [text], insertions: [{ at: 5, text: 0 }] };
  const wrong: Partial<FilePiece>[] = [
    { insertions: [{ at: 5, text: 1 }] },
    { insertions: [{ at: 11, text: 0 }] },
    { insertions: [7, 3].map((at) => ({ at, text: 0 })) },
    { texts: [Buffer.alloc(5000)] },
  ];
  for (const archived of [true, false]) {
    for (const each of wrong) {
      const files = new MemoryFiles("http://slipway.test", monotonicClock);
      const memory = new MemoryBudget(10_000);
      const file = new IncomingFile(
        files,
        { name: "a", mediaType: "text/plain", archived },
        memory,
        new AbortController().signal,
      );
      await file.write(piece);
      await t.rejects(file.write({ bytes: piece.bytes, texts: [], insertions: [], ...each }), {
        id: "plugin-error",
        code: 500,
      });
      await file.discard();
      t.same(files.all, []);
    }
  }
});
