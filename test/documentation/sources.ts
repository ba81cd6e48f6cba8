import { readdirSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";

/** Sources below a folder of the repository, relative to it; nothing that was built or installed, nor what new plugins begin with. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules|starter)\/|\.d\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);
}
