/** Projects whose articles show pictures, and how these have to look. */
import type { Test } from "tap";
import type { Json } from "../plugins/plugin-client.js";
import { article, project } from "../plugins/reporter-client.js";
import { difference, type Sample } from "./quadrants.js";

/** A project with articles for each picture: as many as `uses` says. */
export function projectOf(named: Record<string, Sample>, uses = 1): Json {
  const items = Object.keys(named).flatMap((asset, index) =>
    Array.from({ length: uses }, (_, use) =>
      article(index * uses + use + 1, "1.00", { images: [{ tag: "default", asset }] }),
    ),
  );
  const assets = Object.fromEntries(
    Object.entries(named).map(([name, { mediaType, content }]) => [
      name,
      { mediaType, base64: content.toString("base64") },
    ]),
  );
  return project(items, { assets });
}

/** Asserts that pictures look like the samples, in their order. */
export async function sameAsSamples(
  t: Test,
  all: Record<string, Sample>,
  pictures: readonly Uint8Array[],
): Promise<void> {
  t.equal(pictures.length, Object.keys(all).length);
  for (const [index, [name, { tolerance }]] of Object.entries(all).entries()) {
    const content = pictures[index];
    const off = content === undefined ? 255 : await difference(content);
    t.ok(off <= tolerance, `${name}: off by ${off}`);
  }
}
