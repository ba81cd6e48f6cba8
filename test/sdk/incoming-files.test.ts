/** What files in pieces do at their limits. Tested by itself: the SDK sends only pieces that are right. */
import t from "tap";
import { MemoryBudget } from "../../sdk/runtime/archives/memory-budget.js";
import { type FilePiece, IncomingFile } from "../../sdk/runtime/calls/incoming-file.js";
import { monotonicClock } from "../../sdk/runtime/calls/work.js";
import { MemoryFiles } from "../../sdk/testing/memory/memory-files.js";

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
      const newFile = { name: "a", mediaType: "text/plain", archived };
      const file = new IncomingFile(files, newFile, memory, new AbortController().signal);
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
