import type { ReportData } from "@slipway/sdk";
import type { Pictures } from "../projects/pictures.js";

/** What the parts of the view of a project share. */
export interface ProjectPlace {
  data: ReportData;
  pictures: Pictures;
}
