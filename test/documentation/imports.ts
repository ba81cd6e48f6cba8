import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../start-host.js";
import { sourcesBelow } from "./sources.js";

/** A file that imports one of another part by a relative path. */
export interface ImportBetweenParts {
  file: string;
  from: string;
  to: string;
}

/** Imports between parts, in the sources below folders of the repository. */
export function importsOf(folders: string[]): ImportBetweenParts[] {
  return folders.flatMap(sourcesBelow).flatMap((file) => {
    const source = readFileSync(join(repository, file), "utf8");
    const imported = source.matchAll(/\b(?:from|import|import\() ?"(\.[^"]+)"/g);
    return [...imported]
      .map(([, path = ""]) => ({ file, from: partOf(file), to: partOf(join(dirname(file), path)) }))
      .filter(({ from, to }) => from !== to);
  });
}

/** "sdk", "host" for what lies beside its folders, else a folder of the host or a plugin, such as "host/pdf". */
function partOf(file: string): string {
  const [first = "", second = "", ...deeper] = file.split("/");
  return first === "sdk" || deeper.length === 0 ? first : `${first}/${second}`;
}
