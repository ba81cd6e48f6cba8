/** Writes the files of the demo project: `node --import tsx config/demo/generator/generate-demo.ts [folder]`. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { demoFiles } from "./demo-files.js";

const folder = process.argv[2] ?? join(import.meta.dirname, "..");
await mkdir(folder, { recursive: true });
for (const [name, content] of Object.entries(await demoFiles())) await writeFile(join(folder, name), content);
