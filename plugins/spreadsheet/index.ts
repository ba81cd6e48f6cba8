/** Spreadsheets of a session's project: workbooks and CSV files. */
import { checkTimeZone, definePlugin, TimeZone, Type } from "@slipway/sdk";
import { csvRoutes } from "./routes/export-csv.js";
import { manufacturersRoute } from "./routes/export-manufacturers.js";
import { workbookRoute } from "./routes/workbook-file.js";

export default definePlugin({
  config: Type.Object({ timeZone: TimeZone }, { additionalProperties: false }),
  setup(host, { timeZone }) {
    checkTimeZone(timeZone, "timeZone");
    return {
      routes: [
        workbookRoute(host, timeZone),
        manufacturersRoute(host, timeZone),
        ...csvRoutes(host, timeZone),
      ],
    };
  },
});
