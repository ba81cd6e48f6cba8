import { join } from "node:path";
import { builtFolder } from "../system/installation.js";
import { pageWithPreview } from "./preview-page.js";

/** The page of `slipway plugin dev`. It draws reports with what the preview brings. */
export const developmentPage = pageWithPreview({
  place: "/dev",
  first: "author.html",
  folder: join(builtFolder, "web", "author"),
});
