import { RequestError } from "@slipway/sdk";
import { type LivePlugin, type RequestedRoute, requestedRoute } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { type RouteTable, releaseNamed } from "../plugins/routes/routes.js";
import type { Access } from "../security/access.js";
import { percentDecoded } from "../system/percent-encoding.js";
import { pluginNotFound } from "../system/request-errors.js";
import { longestTimer } from "../system/time.js";
import type { Middleware } from "./request-state.js";

const pluginPath = /^(?:\/([^/]+))?\/EAIWS\/plugins\/([^/]+)\/(.+)$/;

/**
 * Resolves release, plugin and route of `/{release}/EAIWS/plugins/{plugin}/{operation}`; the release may be an alias or
 * missing. Reads the table once, so that a request keeps its plugin version. Leaves other paths unanswered.
 * `isDebugged`: no deadlines, because breakpoints take longer.
 */
export function resolution(
  table: () => RouteTable,
  requests: Pick<Configuration["requests"], "timeout">,
  isDebugged = false,
): Middleware {
  return async (ctx, next) => {
    // Errors of later middleware carry the headers too.
    const found = resolved(table(), ctx, (headers) => ctx.set({ ...headers }));
    if (found === undefined) return;
    if ("allowed" in found) {
      ctx.set("Allow", found.allowed.join(", "));
      ctx.status = 204;
      return;
    }
    const { release, plugin } = found;
    const longest = isDebugged ? longestTimer : (found.route.timeout ?? requests.timeout);
    const deadline = ctx.state.arrived + longest;
    ctx.state.target = { release, plugin, route: found.route, params: found.params, deadline };
    // Covers the queueing time: a replaced version still serves earlier requests.
    const letGo = plugin.hold();
    try {
      await next();
    } finally {
      letGo();
    }
  };
}

type Resolved = { release: string; plugin: LivePlugin } & RequestedRoute;

/**
 * The plugin and the route of a request; undefined for other paths than those of plugins. `tell` gets headers of the response as
 * soon as they are known. Throws 404 or 405.
 */
export function resolved(
  table: RouteTable,
  { method, path }: { method: string; path: string },
  tell: (headers: Readonly<Record<string, string>>) => void,
): Resolved | undefined {
  const match = pluginPath.exec(path);
  if (match === null) return undefined;
  // An invalid encoding matches nothing.
  const named = match[1] === undefined ? table.defaultRelease : percentDecoded(match[1]);
  const release = releaseNamed(table, named) ?? named;
  const plugins = releaseOf(table, release);
  tell(table.headers.get(release) ?? {});
  const plugin = pluginOf(plugins, percentDecoded(match[2] ?? ""));
  tell({ "Slipway-Plugin": `${plugin.name}@${plugin.version}` });
  return { release, plugin, ...requestedRoute(plugin, { method, below: match[3] ?? "", path }) };
}

function releaseOf(table: RouteTable, release: string): ReadonlyMap<string, LivePlugin> {
  const plugins = table.releases.get(release);
  if (plugins !== undefined) return plugins;
  throw new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is no release "${release.slice(0, 80)}". Check the address.`,
    additionalInformation: {
      releases: [...table.releases.keys()],
      ...(table.releaseAliases.size > 0 && { releaseAliases: Object.fromEntries(table.releaseAliases) }),
    },
  });
}

/** By name or alias; both are case sensitive. */
function pluginOf(plugins: ReadonlyMap<string, LivePlugin>, name: string): LivePlugin {
  const plugin = plugins.get(name) ?? [...plugins.values()].find((each) => each.aliases.includes(name));
  if (plugin !== undefined) return plugin;
  const names = [...new Set([...plugins.values()].flatMap((each) => [each.name, ...each.aliases]))];
  throw pluginNotFound(name, names);
}

/** Requires a key with the role `sessions` for all plugin paths, if so configured. */
export function pluginAccess(access: Access, configuration: Configuration["access"]): Middleware {
  return async (ctx, next) => {
    if (configuration.plugins === "key" && ctx.path.includes("/EAIWS/plugins/"))
      ctx.state.caller = await access.demand(ctx, { roles: ["sessions"] });
    await next();
  };
}
