/** Writes the files of the demo project: `node --import tsx host/demo/generate-demo.ts [folder]`. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installationFolder } from "../installation.js";
import { demoFiles } from "./demo-files.js";

const folder = process.argv[2] ?? join(installationFolder, "config", "demo");
await mkdir(folder, { recursive: true });
for (const [name, content] of Object.entries(await demoFiles())) await writeFile(join(folder, name), content);
