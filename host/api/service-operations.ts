import { Type } from "@slipway/sdk";
import { livePlugins, type RouteTable, servingPlugins } from "../plugins/routes/routes.js";
import { pluginNotFound } from "../system/request-errors.js";
import { PluginServices } from "./answers.js";
import { Nothing, ok, operation, Unread } from "./operation.js";

/** `/api/services`: the methods that live plugins offer to each other, with their schemas. */
export function serviceOperations(table: () => RouteTable) {
  return [
    operation({
      method: "GET",
      path: "/api/services",
      id: "listServices",
      tag: "plugins",
      summary: "The services that plugins offer to each other",
      description:
        "Of every version that serves, with the schemas of input and output. `slipway plugin types` makes TypeScript of them.",
      roles: ["read", "operate"],
      params: Nothing,
      query: Type.Object(
        {
          plugin: Type.Optional(
            Type.String({ minLength: 1, maxLength: 100, description: "Public name or alias of one plugin." }),
          ),
        },
        { additionalProperties: false },
      ),
      body: Unread,
      answers: ok("One for each method, by plugin, version, service and method.", PluginServices),
      errors: { 404: ["request-not-found"] },
      handle(ctx, { query: { plugin } }) {
        ctx.body = { services: offeredServices(table(), plugin) };
      },
    }),
  ];
}

/** Throws 404 for an unknown name. */
function offeredServices(table: RouteTable, wanted: string | undefined): PluginServices["services"] {
  const serving = servingPlugins(table);
  const plugins = livePlugins(table).filter(
    ({ name, aliases }) => wanted === undefined || wanted === name || aliases.includes(wanted),
  );
  if (wanted !== undefined && plugins.length === 0)
    throw pluginNotFound(wanted, [...new Set(serving.map(({ plugin }) => plugin))]);
  return plugins
    .flatMap(({ name: plugin, version, services }) => {
      const releases = serving.filter((each) => each.plugin === plugin && each.version === version);
      return services.map(({ service, method, summary, session, timeout, input, output }) => ({
        plugin,
        version,
        releases: releases.map(({ release }) => release),
        service,
        method,
        summary,
        session,
        ...(timeout !== undefined && { timeout }),
        ...(input !== undefined && { input: { ...input } }),
        ...(output !== undefined && { output: { ...output } }),
      }));
    })
    .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

function sortKey({ plugin, version, service, method }: PluginServices["services"][number]): string {
  return JSON.stringify([plugin, version, service, method]);
}
