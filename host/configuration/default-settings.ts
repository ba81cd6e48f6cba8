import { join } from "node:path";
import { homeFolder, installationFolder } from "../system/installation.js";
import { Configuration } from "./configuration.js";
import type { Settings } from "./settings-source.js";

/** The default settings; empty groups get the defaults of their schemas. */
export function defaultSettings(): Settings {
  const groups = Object.entries(Configuration.properties)
    .filter(([, schema]) => "type" in schema && schema.type === "object")
    .map(([key]): [string, Settings] => [key, {}]);
  return {
    ...Object.fromEntries(groups),
    host: "127.0.0.1",
    port: 8080,
    allowedAddresses: [],
    var: join(homeFolder, "var"),
    folders: {
      plugins: [join(installationFolder, "plugins")],
      templates: [join(installationFolder, "templates")],
      procedures: join(installationFolder, "config", "procedures"),
    },
  };
}
