import type { ReportData } from "@slipway/sdk";
import type { Pictures } from "../projects/pictures.js";

/** Context that the parts of the project view share. */
export interface ProjectPlace {
  data: ReportData;
  pictures: Pictures;
}
