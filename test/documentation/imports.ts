import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../start-host.js";
import { sourcesBelow } from "./sources.js";

/** What a source imports from another one by a relative path; both below the repository. */
export interface OwnImport {
  file: string;
  target: string;
}

/** Imports between the sources below folders of the repository. */
export function importsOf(folders: string[]): OwnImport[] {
  return folders.flatMap(sourcesBelow).flatMap((file) => {
    const source = readFileSync(join(repository, file), "utf8");
    const found = source.matchAll(/\b(?:from|import|import\() ?"(\.[^"]+)"/g);
    return [...found].map(([, path = ""]) => ({ file, target: join(dirname(file), path) }));
  });
}
