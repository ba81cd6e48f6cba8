/** Writes the files of the demo project: `node --import tsx config/demo/generator/generate-demo.ts [folder]`. */
import { mkdir, writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, PricingProcedure, Validator, writeObk, writeObx } from "@slipway/sdk";
import { demoProject } from "./demo-project.js";

const folder = process.argv[2] ?? join(import.meta.dirname, "..");
await mkdir(folder, { recursive: true });
for (const [name, content] of Object.entries(await demoFiles())) await writeFile(join(folder, name), content);

/** Contents by file name. The OBX has only the items; the OBK includes the pricing procedure. */
async function demoFiles(): Promise<Record<string, string | Uint8Array>> {
  const project = await demoProject();
  return {
    "demo-project.json": `${JSON.stringify(project, null, 2)}\n`,
    "demo-project.obk": await writeObk(project, { procedures: [await standardProcedure()] }),
    "demo-project.obx": writeObx(project),
  };
}

/** The host's procedure; an OBK includes a copy of it. */
async function standardProcedure(): Promise<PricingProcedure> {
  const file = join(import.meta.dirname, "..", "..", "procedures", "STDB2B_WBK.json");
  const check = new Validator().compile(PricingProcedure, "STDB2B_WBK.json");
  return checked(check(JSON.parse(await readFile(file, "utf8"))), "The pricing procedure");
}
