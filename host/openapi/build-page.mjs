/**
 * Builds the page of the API's description into `host/dist/openapi/docs`: its own script and style, and the files of Swagger UI
 * that it needs, with their licences, so that an installation does without that package.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = join(here, "..", "dist", "openapi", "docs");
const library = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

await build({
  entryPoints: [
    { in: join(here, "page", "main.ts"), out: "main" },
    { in: join(here, "assets", "docs.css"), out: "docs" },
    { in: join(here, "assets", "docs.html"), out: "docs" },
    { in: join(here, "..", "preview", "assets", "icon.svg"), out: "icon" },
  ],
  outdir: out,
  loader: { ".html": "copy", ".svg": "copy" },
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  logLevel: "warning",
});

mkdirSync(join(out, "swagger-ui"), { recursive: true });
copyFileSync(join(library, "LICENSE"), join(out, "swagger-ui", "LICENSE.txt"));
copyFileSync(join(library, "NOTICE"), join(out, "swagger-ui", "NOTICE.txt"));
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"])
  writeFileSync(join(out, "swagger-ui", name), withoutMap(readFileSync(join(library, name), "utf8")));

/** The maps are several times as large, and stay where they are. */
function withoutMap(text) {
  return text.replace(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/m, "");
}
