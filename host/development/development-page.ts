import { join } from "node:path";
import { builtFolder } from "../installation.js";
import { pageWithPreview } from "../preview/preview-page.js";

/** The page of `slipway plugin dev`. It draws reports with what the preview brings. */
export const developmentPage = pageWithPreview({
  place: "/dev",
  first: "development.html",
  folder: join(builtFolder, "development", "page"),
});
