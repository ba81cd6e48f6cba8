import { join } from "node:path";
import { builtFolder } from "../system/installation.js";
import { filesOf } from "./page-files.js";
import type { Page } from "./serve-page.js";

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
