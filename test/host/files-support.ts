/** The settings of generated files for tests that make a store of their own. */
import { checked, type Static, Validator } from "@slipway/sdk";
import { FilesConfiguration } from "../../host/configuration/host-configuration.js";

/** A lifetime of a minute, and as configured; what is undefined is as by default. */
export function filesConfiguration(
  settings: { [Name in keyof Static<typeof FilesConfiguration>]?: number | undefined } = {},
): Static<typeof FilesConfiguration> {
  return checked(
    new Validator().compile(FilesConfiguration, "files")({ lifetime: 60_000, ...settings }),
    "test",
  );
}
