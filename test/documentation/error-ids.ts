import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";

/** Owners of the texts that a text error is about: its id is the only one that code puts together. */
const textOwners = ["item", "project"];

/** Ids of errors, in order, in the sources below a folder of the repository; not those that a page in the browser makes for itself. */
export function errorIds(folder: string): string[] {
  const files = readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") &&
      !/(^|\/)(dist|node_modules|(?:preview|admin)\/page)\//.test(name) &&
      !name.endsWith(".d.ts"),
  );
  const ids = new Set<string>();
  for (const file of files) {
    const source = readFileSync(join(repository, folder, file), "utf8");
    for (const [, id = ""] of source.matchAll(/\bid: "([a-z]+(?:-[a-z]+)+)"/g)) ids.add(id);
    if (/\bid: `.{8}-text-error`/.test(source))
      for (const owner of textOwners) ids.add(`${owner}-text-error`);
  }
  return [...ids].sort();
}

/** Among words, those that look like ids of errors. */
export function likeErrorIds(words: string[]): string[] {
  return [...new Set(words.filter((word) => /^[a-z]+(-[a-z]+)+$/.test(word)))].sort();
}
