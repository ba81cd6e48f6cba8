/**
 * Builds the pages of the host into `host/dist/web`: one application, whose pages are loaded on demand, one style sheet, and
 * static files. Copies the required parts of Swagger UI with their licences, so that an installation does not need that
 * package.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

const web = join(import.meta.dirname, "..", "web");
const out = join(web, "..", "dist", "web");

const { metafile } = await build({
  entryPoints: [
    { in: join(web, "app", "main.tsx"), out: "main" },
    { in: join(web, "style", "main.css"), out: "main" },
    { in: join(web, "app", "index.html"), out: "index" },
    { in: join(web, "app", "icon.svg"), out: "icon" },
  ],
  outdir: out,
  loader: { ".html": "copy", ".svg": "copy" },
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  minify: true,
  metafile: true,
  format: "esm",
  // All browsers support the required CSS features since spring 2024.
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  // The host serves it from its package.
  external: ["./pdfjs/*"],
  legalComments: "eof",
  logLevel: "warning",
});

const library = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const swaggerUi = join(out, "swagger-ui");
mkdirSync(swaggerUi, { recursive: true });
copyFileSync(join(library, "LICENSE"), join(swaggerUi, "LICENSE.txt"));
copyFileSync(join(library, "NOTICE"), join(swaggerUi, "NOTICE.txt"));
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"])
  writeFileSync(join(swaggerUi, name), withoutMap(readFileSync(join(library, name), "utf8")));

// Names change with what is in the files.
const current = new Set(["swagger-ui", ...Object.keys(metafile.outputs).map((path) => basename(path))]);
for (const name of readdirSync(out)) if (!current.has(name)) rmSync(join(out, name), { recursive: true });

/** Source maps are several times as large and not copied. */
function withoutMap(text) {
  return text.replace(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/m, "");
}
