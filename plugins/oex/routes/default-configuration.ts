/** The default configuration of an export. */
import { type Route, route } from "@slipway/sdk";
import { defaultConfiguration } from "../configuration/default-configuration.js";
import { ExportConfiguration } from "../configuration/export-configuration.js";
import type { ExportSettings } from "../configuration/plugin-settings.js";

export function defaultConfigurationRoute(settings: ExportSettings): Route {
  return route.get("config.json", {
    summary: "The fields of an export's configuration with their defaults.",
    response: ExportConfiguration,
    handler: () => defaultConfiguration(settings),
  });
}
