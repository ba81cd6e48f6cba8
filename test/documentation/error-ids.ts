import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import { sourcesBelow } from "./sources.js";

/** Owners of the texts that a text error is about: its id is the only one that code puts together. */
const textOwners = ["item", "project"];

/**
 * Ids of errors in the sources below folders of the repository, with the statuses that stand beside them; not those that a page
 * in the browser makes for itself.
 */
export function raisedErrors(folders: string[]): Map<string, Set<number>> {
  const raised = new Map<string, Set<number>>();
  const add = (id: string, code?: string): void => {
    const codes = raised.get(id) ?? new Set();
    if (code !== undefined) codes.add(Number(code));
    raised.set(id, codes);
  };
  for (const file of folders.flatMap(sourcesBelow).filter((name) => !/^host\/web\/[^/]+\//.test(name))) {
    // Examples in comments raise nothing.
    const source = readFileSync(join(repository, file), "utf8").replaceAll(/^ *\*.*$/gm, "");
    for (const [, id = "", code] of source.matchAll(/\bid: "([a-z]+(?:-[a-z]+)+)"(?:,\s*code: (\d+))?/g))
      add(id, code);
    if (/\bid: `.{8}-text-error`/.test(source)) for (const owner of textOwners) add(`${owner}-text-error`);
  }
  return raised;
}

/** Among words, those that look like ids of errors. */
export function likeErrorIds(words: string[]): string[] {
  return [...new Set(words.filter((word) => /^[a-z]+(-[a-z]+)+$/.test(word)))].sort();
}
