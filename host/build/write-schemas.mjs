/** Writes the JSON Schema of the configuration file, for editors. */
import { join } from "node:path";
import { writeSchemas } from "../../sdk/build/schema-files.mjs";

await writeSchemas({
  dist: join(import.meta.dirname, "..", "dist"),
  built: "bundled",
  sources: [
    {
      file: join(import.meta.dirname, "..", "..", "config", "slipway.schema.json"),
      module: "configuration/configuration-file.js",
      name: "ConfigurationFile",
    },
  ],
});
