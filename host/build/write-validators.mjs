/** Writes the validator of the configuration into `dist`. */
import { join } from "node:path";
import { writeValidators } from "../../sdk/validator-files.mjs";

const dist = join(import.meta.dirname, "..", "dist");

await writeValidators({
  folder: join(dist, "validators"),
  built: join(dist, "bundled"),
  names: ["configuration"],
  schemas: async () => ({
    configuration: (await import("../dist/configuration/configuration.js")).Configuration,
  }),
});
