/** Writes the JSON Schema files of `schemas/`, for editors and for programs without this SDK. */
import { join } from "node:path";
import { writeSchemas } from "./schema-files.mjs";

const schemas = join(import.meta.dirname, "..", "schemas");

await writeSchemas({
  dist: join(import.meta.dirname, "..", "dist"),
  built: ".tsbuildinfo",
  sources: [
    {
      file: join(schemas, "report-data.schema.json"),
      module: "report-data/report-data.js",
      name: "ReportData",
    },
    { file: join(schemas, "template.schema.json"), module: "plugin/template-file.js", name: "TemplateFile" },
  ],
});
