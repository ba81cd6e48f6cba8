import { join } from "node:path";
import { builtFolder } from "../system/installation.js";
import { pageWithPreview } from "./preview-page.js";

/** The admins' page. It holds nothing that needs a key; what it shows it asks the host API for. */
export const adminPage = pageWithPreview({
  place: "/admin",
  first: "admin.html",
  folder: join(builtFolder, "web", "admin"),
});
