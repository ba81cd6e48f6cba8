import { join } from "node:path";
import { pageWithPreview } from "../preview/preview-page.js";

/** The admins' page. It holds nothing that needs a key; what it shows it asks the host API for. */
export const adminPage = pageWithPreview({
  place: "/admin",
  first: "admin.html",
  folder: join(import.meta.dirname, "page"),
});
