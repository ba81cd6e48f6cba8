import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { builtFolder, installationFolder } from "../system/installation.js";
import { filesOf, type Page, type PageFiles } from "./pages.js";

/** The library runs in a worker of its own, for which only the policy of the worker's file counts. */
const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What else the library loads: character maps, fonts that PDFs name without bringing them, colour, picture formats. */
const libraryFolders = ["cmaps", "standard_fonts", "iccs", "wasm"];

/** The live preview of templates: its own files, and those of the library that draws PDFs. */
export const previewPage: Page = {
  place: "/preview",
  first: "preview.html",
  files: previewFiles,
  policy: (name) => (name.endsWith(".worker.min.mjs") ? workerPolicy : undefined),
};

async function previewFiles(): Promise<PageFiles> {
  const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const found = await Promise.all([
    filesOf(join(installationFolder, "host", "web", "preview", "assets")),
    filesOf(join(builtFolder, "web", "preview"), "", [".js"]),
    filesOf(join(library, "legacy", "build"), "pdfjs/", [".min.mjs"]),
    ...libraryFolders.map((name) => filesOf(join(library, name), `pdfjs/${name}/`)),
  ]);
  return new Map(found.flat());
}

/** Where other pages find the preview, whether or not the host serves it as a page of its own. */
const beside = "preview/";

/** A page from the files of a folder, with those of the preview below `preview/`. */
export function pageWithPreview({
  place,
  first,
  folder,
}: Pick<Page, "place" | "first"> & { folder: string }): Page {
  return {
    place,
    first,
    files: async () => {
      const shared = [...(await previewPage.files())];
      return new Map([
        ...(await filesOf(folder)),
        ...shared.map(([name, file]) => [`${beside}${name}`, file] as const),
      ]);
    },
    policy: (name) => (name.startsWith(beside) ? previewPage.policy?.(name.slice(beside.length)) : undefined),
  };
}

/** The admins' page. It holds nothing that needs a key; what it shows it asks the host API for. */
export const adminPage = pageWithPreview({
  place: "/admin",
  first: "admin.html",
  folder: join(builtFolder, "web", "admin"),
});

/** The page of `slipway plugin dev`. It draws reports with what the preview brings. */
export const developmentPage = pageWithPreview({
  place: "/dev",
  first: "author.html",
  folder: join(builtFolder, "web", "author"),
});

/** The description for people: a page of our own around Swagger UI, which the build copies. */
export const docsPage: Page = {
  place: "/docs",
  first: "docs.html",
  files: async () => {
    const folder = join(builtFolder, "web", "documentation");
    const own = await filesOf(folder);
    return new Map([...own, ...(await filesOf(join(folder, "swagger-ui"), "swagger-ui/"))]);
  },
};
