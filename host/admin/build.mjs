/** Builds the admin page into `host/dist/admin/page`: one script, one style sheet, and what lies beside them. */
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;

await build({
  entryPoints: [
    { in: join(here, "page", "main.tsx"), out: "main" },
    { in: join(here, "style", "admin.css"), out: "admin" },
    { in: join(here, "assets", "admin.html"), out: "admin" },
    { in: join(here, "assets", "icon.svg"), out: "icon" },
  ],
  outdir: join(here, "..", "dist", "admin", "page"),
  loader: { ".html": "copy", ".svg": "copy" },
  bundle: true,
  // It is a module of its own with a large library, and loaded when somebody wants it.
  external: ["./preview/preview.js", "./preview/host-client.js"],
  minify: true,
  format: "esm",
  // What the style sheets rest on came to all browsers in the spring of 2024.
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  logLevel: "warning",
});
