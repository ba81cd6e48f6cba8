import { join } from "node:path";
import { filesOf } from "../pages/page-files.js";
import type { Page } from "../pages/serve-page.js";

/** The admins' page. It holds nothing that needs a key; what it shows it asks the host API for. */
export const adminPage: Page = {
  place: "/admin",
  first: "admin.html",
  files: async () => new Map(await filesOf(join(import.meta.dirname, "page"))),
};
