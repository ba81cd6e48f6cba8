/** Spreadsheets of a session's project: workbooks and CSV files. */
import { definePlugin } from "@slipway/sdk";
import { csvRoutes } from "./routes/export-csv.js";
import { manufacturersRoute } from "./routes/export-manufacturers.js";
import { workbookRoute } from "./routes/export-workbook.js";

export default definePlugin({
  setup: (host) => ({ routes: [workbookRoute(host), manufacturersRoute(host), ...csvRoutes(host)] }),
});
