import { join } from "node:path";
import { filesOf, type PageFiles } from "../pages/page-files.js";
import type { Page } from "../pages/serve-page.js";
import { previewPage } from "../preview/preview-page.js";

/** Where the page finds the preview of templates, whether or not the host serves that as a page of its own. */
const preview = "preview/";

/** The admins' page. It holds nothing that needs a key; what it shows it asks the host API for. */
export const adminPage: Page = {
  place: "/admin",
  first: "admin.html",
  files: adminFiles,
  policy: (name) => (name.startsWith(preview) ? previewPage.policy?.(name.slice(preview.length)) : undefined),
};

async function adminFiles(): Promise<PageFiles> {
  const own = await filesOf(join(import.meta.dirname, "page"));
  const shared = [...(await previewPage.files())].map(([name, file]) => [`${preview}${name}`, file] as const);
  return new Map([...own, ...shared]);
}
