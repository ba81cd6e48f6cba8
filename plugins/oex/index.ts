/** oex: exports the project of a session as an order or a quotation in the OEX format. */
import { definePlugin, type Host, type Route, route, SessionId, Type } from "@slipway/sdk";
import {
  defaultConfiguration,
  ExportConfiguration,
  type ExportSettings,
  exportSettings,
  PluginSettings,
} from "./configuration/export-configuration.js";
import { ExportResult, exportProject } from "./export/export-project.js";
import { reportService } from "./export/order-report.js";
import { ExportRequest } from "./request/create-context.js";
import { manufacturersOf, ProjectManufacturer } from "./selection/manufacturers.js";

export default definePlugin({
  config: PluginSettings,
  setup(host, configured) {
    const settings = exportSettings(configured, host.plugin.version);
    return {
      routes: [defaultConfigurationRoute(settings), manufacturersRoute(), exportRoute(host, settings)],
    };
  },
});

/** Large projects with pictures take long; a client that disconnects earlier aborts the export. */
const timeout = "300s";

function exportRoute(host: Host, settings: ExportSettings): Route {
  const reports = reportService(host);
  const items = host.metrics.counter("exported_items_total", "Items of the documents that were exported.");
  return route.post("export", {
    summary: "Exports the session's project as OEX, with an OBX, a PDF and a ZIP archive as configured.",
    body: ExportRequest,
    response: ExportResult,
    session: "required",
    timeout,
    async handler(call) {
      const result = await exportProject(host, reports, settings, call);
      items.add(result.items.length);
      return result;
    },
  });
}

// The manufacturers that an export of a project can include.

function manufacturersRoute(): Route {
  return route.post("manufacturers.json", {
    summary: "Lists the manufacturers of the session's project, to choose which ones are exported.",
    body: Type.Object({ sessionId: SessionId }),
    response: Type.Array(ProjectManufacturer),
    session: "required",
    handler: async ({ session, locale }) => manufacturersOf(await session.project(), locale),
  });
}

// The default configuration of an export.

function defaultConfigurationRoute(settings: ExportSettings): Route {
  return route.get("config.json", {
    summary: "The fields of an export's configuration with their defaults.",
    response: ExportConfiguration,
    handler: () => defaultConfiguration(settings),
  });
}
