/** Builds the pages of admins and of plugin authors into `host/dist`: for each one script, one style sheet, and what lies beside them. */
import { join } from "node:path";
import { build } from "esbuild";

const host = join(import.meta.dirname, "..");

for (const name of ["admin", "development"]) {
  await build({
    entryPoints: [
      { in: join(host, name, "page", "main.tsx"), out: "main" },
      { in: join(host, name, "style", `${name}.css`), out: name },
      { in: join(host, name, "assets", `${name}.html`), out: name },
      { in: join(host, "admin", "assets", "icon.svg"), out: "icon" },
    ],
    outdir: join(host, "dist", name, "page"),
    loader: { ".html": "copy", ".svg": "copy" },
    bundle: true,
    // They are modules of their own with a large library, and loaded when somebody wants them.
    external: ["./preview/preview.js", "./preview/host-client.js", "./preview/pdf-view.js"],
    minify: true,
    format: "esm",
    // What the style sheets rest on came to all browsers in the spring of 2024.
    target: ["es2023", "chrome123", "firefox121", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "eof",
    logLevel: "warning",
  });
}
