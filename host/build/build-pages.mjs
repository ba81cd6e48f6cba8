/**
 * Builds the pages of the host into `host/dist/web`: scripts, one style sheet, and static files for each page. Copies
 * the required parts of Swagger UI with their licences, so that an installation does not need that package.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

const web = join(import.meta.dirname, "..", "web");
const out = join(web, "..", "dist", "web");

const options = {
  loader: { ".html": "copy", ".svg": "copy" },
  bundle: true,
  minify: true,
  format: "esm",
  // All browsers support the required CSS features since spring 2024.
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  logLevel: "warning",
};

for (const name of ["admin", "author"]) {
  await build({
    ...options,
    entryPoints: [
      { in: join(web, name, "main.tsx"), out: "main" },
      { in: join(web, name, "style", `${name}.css`), out: name },
      { in: join(web, name, "assets", `${name}.html`), out: name },
      { in: join(web, "admin", "assets", "icon.svg"), out: "icon" },
    ],
    outdir: join(out, name),
    // Separate modules with a large library, loaded on demand.
    external: ["./preview/preview.js", "./preview/host-client.js", "./preview/pdf-view.js"],
  });
}

const { metafile } = await build({
  ...options,
  metafile: true,
  entryPoints: ["main", "preview", "host-client", "pdf-view"].map((name) =>
    join(web, "preview", `${name}.ts`),
  ),
  splitting: true,
  chunkNames: "[name]-[hash]",
  external: ["./pdfjs/*"],
  outdir: join(out, "preview"),
});
const current = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(join(out, "preview")))
  if (!current.has(name)) rmSync(join(out, "preview", name));

const documentation = join(out, "documentation");
await build({
  ...options,
  entryPoints: [
    { in: join(web, "documentation", "main.ts"), out: "main" },
    { in: join(web, "documentation", "assets", "docs.css"), out: "docs" },
    { in: join(web, "documentation", "assets", "docs.html"), out: "docs" },
    { in: join(web, "preview", "assets", "icon.svg"), out: "icon" },
  ],
  outdir: documentation,
});
const library = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
mkdirSync(join(documentation, "swagger-ui"), { recursive: true });
copyFileSync(join(library, "LICENSE"), join(documentation, "swagger-ui", "LICENSE.txt"));
copyFileSync(join(library, "NOTICE"), join(documentation, "swagger-ui", "NOTICE.txt"));
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"])
  writeFileSync(
    join(documentation, "swagger-ui", name),
    withoutMap(readFileSync(join(library, name), "utf8")),
  );

/** Source maps are several times as large and not copied. */
function withoutMap(text) {
  return text.replace(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/m, "");
}
