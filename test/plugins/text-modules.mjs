/** Imports of text files, as the host bundles them: schemas that a plugin brings along. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export async function load(url, context, next) {
  if (!url.endsWith(".xsd")) return next(url, context);
  const text = await readFile(fileURLToPath(url), "utf8");
  return { format: "module", shortCircuit: true, source: `export default ${JSON.stringify(text)};` };
}
