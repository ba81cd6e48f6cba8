/**
 * What every engine promises of files: the same cases for each, races of several engines at one place where they may share it. The
 * store is tested by itself; over HTTP the races could not be hit.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import t from "tap";
import { ArtifactGone } from "../../host/files/files.js";
import { type EngineKind, file, pair, refused, sha256 } from "./engine-support.js";

/** Runs the cases of files for a kind of engines. */
export function testFiles(kind: EngineKind): void {
  fileCases(kind);
  fileRoom(kind);
}

const chunk = 1024 * 1024;

function fileCases(kind: EngineKind): void {
  t.test("files of any size, as bytes or in pieces, are read whole and in parts", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const sizes = [0, 1, 1000, chunk - 1, chunk, chunk + 1, 4 * chunk, 9 * chunk + 5];
    for (const size of sizes) {
      const content = randomBytes(size);
      for (const source of [content, pieces(content), Readable.from([content])]) {
        const made = await one.artifacts.create(file(source, "a b/ä.pdf"));
        t.match(made, { bytes: size, etag: sha256(content), mediaType: "application/octet-stream" });
        t.notOk(/[/\\]/.test(made.name));
        t.ok(made.id.length >= 20);
        t.strictSame(await other.artifacts.find(made.id), made);
        const found = (await other.artifacts.find(made.id)) ?? made;
        t.ok(content.equals(await buffer(other.artifacts.read(found))), `${size} bytes`);
        if (size === 0) continue;
        const range = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map((ends) => ends.sort((a, b) => a - b));
        await fc.assert(
          fc.asyncProperty(range, async ([start = 0, end = 0]) => {
            const part = await buffer(other.artifacts.read(found, { start, end }));
            return part.equals(content.subarray(start, end + 1));
          }),
          { numRuns: 8 },
        );
      }
    }
    t.match(await other.artifacts.usage(), {
      count: 3 * sizes.length,
      bytes: 3 * sizes.reduce((sum, size) => sum + size, 0),
    });
  });

  t.test("a file whose source fails, or that is discarded, leaves nothing", async (t) => {
    const [{ artifacts }, other] = await pair(kind, await kind.place(t));
    async function* failing(): AsyncGenerator<Buffer[]> {
      yield [randomBytes(3 * chunk)];
      throw new Error("the source broke");
    }
    await t.rejects(artifacts.create(file(failing())), { message: "the source broke" });
    t.match(await artifacts.usage(), { count: 0, bytes: 0 });
    const made = await artifacts.create(file(randomBytes(2 * chunk)));
    await other.artifacts.discard(made.id);
    t.equal(await artifacts.find(made.id), undefined);
    await t.rejects(buffer(artifacts.read(made)), ArtifactGone);
    await t.rejects(buffer(artifacts.read(made, { start: 5, end: 9 })), ArtifactGone);
    t.match(await artifacts.usage(), { count: 0, bytes: 0 });
  });

  t.test("many readers at once, some of which go away", async (t) => {
    const [one, other] = await pair(kind, await kind.place(t));
    const content = randomBytes(6 * chunk);
    const made = await one.artifacts.create(file(content));
    const read = async (index: number): Promise<void> => {
      const { artifacts } = index % 2 === 0 ? one : other;
      const reading = artifacts.read(made);
      if (index % 3 === 0) {
        await once(reading, "readable");
        reading.destroy();
        await once(reading, "close");
      } else t.ok(content.equals(await buffer(reading)));
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => read(index)));
    t.ok(content.equals(await buffer(one.artifacts.read(made))));
  });
}

/** Pieces of different sizes, of which several come together. */
async function* pieces(content: Buffer): AsyncGenerator<Buffer[]> {
  for (let at = 0; at < content.length; at += 70_001) {
    const next = content.subarray(at, at + 70_001);
    yield [next.subarray(0, 10), next.subarray(10, 10), next.subarray(10)];
  }
}

function fileRoom(kind: EngineKind): void {
  t.test("files end after their lifetime", async (t) => {
    const place = await kind.place(t, { lifetime: 10_000 });
    const [one, other] = await pair(kind, place);
    const made = await one.artifacts.create(file(Buffer.from("abc")));
    await place.pass(9_000);
    t.ok(await other.artifacts.find(made.id));
    t.equal(await other.artifacts.removeExpired(), 0);
    await place.pass(2_000);
    t.equal(await other.artifacts.find(made.id), undefined);
    const [some, rest] = [await one.artifacts.removeExpired(), await other.artifacts.removeExpired()];
    t.equal(some + rest, 1);
    t.match(await one.artifacts.usage(), { count: 0, bytes: 0 });
  });

  t.test("without room, young files stay and new ones are refused", async (t) => {
    const engines = await pair(kind, await kind.place(t, { maximumBytes: 100 }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (engines[index % 2] ?? engines[0]).artifacts.create(file(Buffer.alloc(30))),
      ),
    );
    t.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 3);
    for (const outcome of outcomes) if (outcome.status === "rejected") t.match(outcome.reason, refused);
    t.match(await engines[1].artifacts.usage(), { count: 3, bytes: 90, maximumBytes: 100, evicted: 0 });
  });

  t.test("room is made by the oldest files, and no reader is torn", async (t) => {
    const place = await kind.place(t, { maximumBytes: 10 * chunk, minimumLifetime: 1000 });
    const { artifacts } = await place.engine();
    const old = [];
    for (let made = 0; made < 3; made += 1) {
      const content = randomBytes(3 * chunk);
      old.push({ content, artifact: await artifacts.create(file(content)) });
      await place.pass(2_000);
    }
    const [read, second, third] = old;
    if (read === undefined || second === undefined || third === undefined) throw new Error("Too few files");
    const reading = artifacts.read(read.artifact);
    await once(reading, "readable");
    const young = await artifacts.create(file(randomBytes(4 * chunk)));
    t.ok(await artifacts.find(young.id));
    t.ok(await artifacts.find(third.artifact.id), "the youngest of the old ones");
    t.ok(read.content.equals(await buffer(reading)), "whoever reads gets all of it");
    const { bytes, evicted, count } = await artifacts.usage();
    t.ok(bytes <= 10 * chunk);
    t.equal(evicted, 4 - count);
    await t.rejects(artifacts.create(file(randomBytes(11 * chunk))), refused, "larger than all room");
    t.ok(await artifacts.find(young.id), "too young to go");
  });
}
