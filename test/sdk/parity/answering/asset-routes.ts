import { type Host, type Route, route } from "@slipway/sdk";

/** What a plugin reads of the files that it brings. */
export const assetRoutes = (host: Host): Route[] => [
  route.get("brought", { summary: "Their names.", handler: () => ({ names: host.assets.names }) }),
  route.get("brought/text/:name", {
    summary: "A text.",
    handler: async ({ params }) => ({ text: await host.assets.text(params["name"] ?? "") }),
  }),
  route.get("brought/bytes/:name", {
    summary: "Bytes.",
    handler: async ({ params }) => ({ bytes: [...(await host.assets.bytes(params["name"] ?? ""))] }),
  }),
  route.get("brought/url/:name", {
    summary: "A URL.",
    handler: async ({ params }) => ({ url: await host.assets.url(params["name"] ?? "") }),
  }),
];
