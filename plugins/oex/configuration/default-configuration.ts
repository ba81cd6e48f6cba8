import { checked, Validator } from "@slipway/sdk";
import { ExportConfiguration } from "./export-configuration.js";
import type { ExportSettings } from "./plugin-settings.js";

const filled = new Validator({ lazy: true }).compile(ExportConfiguration, "config");

/**
 * A new configuration with the defaults of the interface document, section 2.6. The application comes from the
 * settings.
 */
export function defaultConfiguration(settings: ExportSettings): ExportConfiguration {
  const { major, minor } = settings.applicationVersion;
  const application = { appName: settings.applicationName, appVersion: { aMajor: major, aMinor: minor } };
  return checked(filled(application), "The default configuration is not valid");
}
