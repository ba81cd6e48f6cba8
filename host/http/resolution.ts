import { RequestError } from "@slipway/sdk";
import { type LivePlugin, requestedRoute } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { type RouteTable, releaseNamed } from "../plugins/route-table.js";
import type { Access } from "../security/access.js";
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
    const match = pluginPath.exec(ctx.path);
    if (match === null) return;
    const current = table();
    const named = decoded(match[1]) ?? current.defaultRelease;
    const release = releaseNamed(current, named) ?? named;
    const plugins = releaseOf(current, release);
    // Errors of later middleware carry them too.
    ctx.set({ ...current.headers.get(release) });
    const plugin = pluginOf(plugins, decoded(match[2]) ?? "");
    ctx.set("Slipway-Plugin", `${plugin.name}@${plugin.version}`);

    const found = requestedRoute(plugin, { method: ctx.method, below: match[3] ?? "", path: ctx.path });
    if ("allowed" in found) {
      ctx.set("Allow", found.allowed.join(", "));
      ctx.status = 204;
      return;
    }
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

function releaseOf(table: RouteTable, release: string): ReadonlyMap<string, LivePlugin> {
  const plugins = table.releases.get(release);
  if (plugins !== undefined) return plugins;
  throw new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is no release "${release.slice(0, 80)}".`,
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

/** Returns an invalid encoding unchanged; it matches nothing. */
function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Requires a key with the role `sessions` for all plugin paths, if so configured. */
export function pluginAccess(access: Access, configuration: Configuration["access"]): Middleware {
  return async (ctx, next) => {
    if (configuration.plugins === "key" && ctx.path.includes("/EAIWS/plugins/"))
      ctx.state.caller = await access.demand(ctx, { roles: ["sessions"] });
    await next();
  };
}
