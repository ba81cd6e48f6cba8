import { join } from "node:path";
import { builtFolder } from "../installation.js";
import { filesOf } from "../pages/page-files.js";
import type { Page } from "../pages/serve-page.js";

/** The description for people: a page of our own around Swagger UI, which the build copies. */
export const docsPage: Page = {
  place: "/docs",
  first: "docs.html",
  files: async () => {
    const folder = join(builtFolder, "openapi", "docs");
    const own = await filesOf(folder);
    return new Map([...own, ...(await filesOf(join(folder, "swagger-ui"), "swagger-ui/"))]);
  },
};
