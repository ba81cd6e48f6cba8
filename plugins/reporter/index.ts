/** The reporter: lists report templates and makes PDF reports of a session's project. */
import { definePlugin } from "@slipway/sdk";
import { generateRoutes } from "./routes/generate.js";
import { listTemplates } from "./routes/list-templates.js";
import { templateDataRoutes } from "./routes/template-data.js";
import { templateOptionsRoutes } from "./routes/template-options.js";
import { reportsService } from "./services/reports.js";

export default definePlugin({
  setup: (host) => ({
    routes: [
      listTemplates(host),
      ...templateOptionsRoutes(host),
      ...generateRoutes(host),
      ...templateDataRoutes(host),
    ],
    services: { reports: reportsService(host) },
    async probe() {
      await host.templates.list({ locale: "en" });
    },
  }),
});
