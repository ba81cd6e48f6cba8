/** The reporter: lists report templates and creates PDF reports of a session's project. */
import { checkTimeZone, definePlugin } from "@slipway/sdk";
import { PluginSettings } from "./plugin-settings.js";
import { generateRoutes, reportsService } from "./routes/generate.js";
import {
  listTemplates,
  reportPages,
  templateDataRoutes,
  templateOptionsRoutes,
} from "./routes/template-routes.js";

export default definePlugin({
  config: PluginSettings,
  setup(host, settings) {
    checkTimeZone(settings.timeZone, "timeZone");
    const printing = { pages: reportPages(host), timeZone: settings.timeZone };
    return {
      routes: [
        listTemplates(host, settings),
        ...templateOptionsRoutes(host),
        ...generateRoutes(host, printing),
        ...templateDataRoutes(host),
      ],
      services: { reports: reportsService(host, printing) },
      async probe() {
        await host.templates.list({ locale: "en" });
      },
    };
  },
});
