/**
 * A process of its own for one contender: writes one document and tells what it took, as JSON.
 * Arguments: name of the contender, number of articles, and `hash` to tell the bytes apart instead of measuring.
 * Uses the part itself: only writing is measured, without a project and without HTTP.
 */
import { createHash } from "node:crypto";
import type { RepeatedText } from "@slipway/sdk";
import type { OexDocument } from "../../../plugins/oex/document/oex-document.js";
import { writeOexDocument } from "../../../plugins/oex/writing/write-document.js";
import { writeWholeDocument } from "../../plugins/oex-whole-document.js";
import { benchmarkDocument } from "./benchmark-document.js";
import type { Measurement } from "./contenders.js";
import { writeTemplateStrings } from "./template-strings.js";

type Write = (document: OexDocument) => AsyncIterable<string | RepeatedText>;

/** With the number of documents that are written before, so that the compiler of the engine is done. */
const contenders: Record<string, { write: Write; warmUp: number }> = {
  writer: { write: writeOexDocument, warmUp: 10 },
  templates: { write: writeTemplateStrings, warmUp: 10 },
  whole: { write: writeWholeDocument, warmUp: 2 },
};
const warmUpArticles = 1000;

const [name = "", articles = "", mode] = process.argv.slice(2);
const contender = contenders[name];
if (contender === undefined) throw new Error(`there is no contender "${name}"`);
const result =
  mode === "hash"
    ? await hashed(contender.write, Number(articles))
    : await measured(contender.write, Number(articles), contender.warmUp);
process.stdout.write(JSON.stringify(result));

async function hashed(write: Write, articles: number): Promise<{ hash: string }> {
  const hash = createHash("sha256");
  for await (const piece of write(benchmarkDocument(articles))) hash.update(String(piece));
  return { hash: hash.digest("hex") };
}

async function measured(write: Write, articles: number, warmUp: number): Promise<Measurement> {
  for (let before = 0; before < warmUp; before++) await written(write, warmUpArticles);
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const bytes = await written(write, articles);
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  const peakMemory = process.resourceUsage().maxRSS / 1024;
  return { milliseconds, cpu: (user + system) / 1000, peakMemory, bytes };
}

/** Pieces become bytes, as on the way to a file; the number of bytes. */
async function written(write: Write, articles: number): Promise<number> {
  let bytes = 0;
  for await (const piece of write(benchmarkDocument(articles))) bytes += Buffer.from(String(piece)).length;
  return bytes;
}
