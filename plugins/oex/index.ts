/** oex: exports the project of a session as an order or a quotation in the OEX format. */
import { definePlugin } from "@slipway/sdk";
import { exportSettings, PluginSettings } from "./configuration/plugin-settings.js";
import { defaultConfigurationRoute, exportRoute, manufacturersRoute } from "./routes.js";
export default definePlugin({
  config: PluginSettings,
  setup(host, configured) {
    const settings = exportSettings(configured, host.plugin.version);
    return {
      routes: [defaultConfigurationRoute(settings), manufacturersRoute(), exportRoute(host, settings)],
    };
  },
});
