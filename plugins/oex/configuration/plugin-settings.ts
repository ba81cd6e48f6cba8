/** The plugin's settings (`plugins.config.oex` of the server's configuration). */
import { checked, checkTimeZone, type Static, TimeZone, Type, Validator } from "@slipway/sdk";
import { ExportConfiguration } from "./export-configuration.js";

/** Code length limit of the format for manufacturers and series (OEX reference, section 7). */
const Code = Type.String({ pattern: "^[0-9A-Z]{1,4}$" });

const closed = { additionalProperties: false } as const;

/** The settings as configured. */
export const PluginSettings = Type.Object(
  {
    applicationName: Type.String({
      minLength: 1,
      maxLength: 200,
      default: "Slipway",
      description: "Name of the application in exported documents, unless the request names another one.",
    }),
    applicationVersion: Type.Optional(
      Type.Object(
        {
          major: Type.String({ pattern: "^[0-9]{1,5}$" }),
          minor: Type.String({ pattern: "^[0-9]{1,5}$" }),
        },
        { ...closed, description: "Without it, the version of the plugin." },
      ),
    ),
    timeZone: TimeZone,
    manufacturerCodes: Type.Record(Type.String(), Code, {
      default: {},
      description: "Codes of manufacturers by their ids.",
    }),
    seriesCodes: Type.Record(Type.String(), Type.Record(Type.String(), Code), {
      default: {},
      description: "Codes of series by their ids, for each manufacturer by its id.",
    }),
    validate: Type.Boolean({
      default: false,
      description: "Checks each exported document against the schemas and rules of the format.",
    }),
    validateLimit: Type.Integer({
      minimum: 0,
      default: 20_000_000,
      description: "Bytes; larger documents are checked against the rules only.",
    }),
  },
  closed,
);
export type PluginSettings = Static<typeof PluginSettings>;

/** The settings with all defaults applied. */
export type ExportSettings = Required<PluginSettings>;

/**
 * Completes the configured settings with the plugin's version ("1.2.3").
 * @throws {Error} if the time zone is invalid, so that the plugin does not start
 */
export function exportSettings(configured: PluginSettings, pluginVersion: string): ExportSettings {
  checkTimeZone(configured.timeZone, "timeZone");
  const [major = "0", minor = "0"] = pluginVersion.split(".");
  return { ...configured, applicationVersion: configured.applicationVersion ?? { major, minor } };
}

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
