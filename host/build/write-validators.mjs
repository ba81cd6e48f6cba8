/** Writes the validators of what a host checks while it starts into `dist`. */
import { join } from "node:path";
import { writeValidators } from "../../sdk/build/validator-files.mjs";

const dist = join(import.meta.dirname, "..", "dist");

await writeValidators({
  folder: join(dist, "validators"),
  built: join(dist, "bundled"),
  schemas: async () => (await import("../dist/build/built-schemas.js")).builtSchemas,
});
