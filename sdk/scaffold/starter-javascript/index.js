// @ts-check
/** The plugin's settings and routes. */
import { definePlugin, route } from "@slipway/sdk";
import { priceList } from "./price-list.js";
import { Settings } from "./settings.js";
import { summary } from "./summary.js";

export default definePlugin({
  config: Settings,
  // Runs once in each process, before anything is served.
  setup: (host, settings) => ({
    routes: [
      summary,
      priceList(host, settings),
      // Needs no session, so that a host can try it before a new version goes live (slipway.smoke in package.json).
      route.get("settings.json", {
        summary: "What the plugin is set to.",
        response: Settings,
        handler: () => settings,
      }),
    ],
  }),
});
