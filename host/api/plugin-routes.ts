import { basename } from "node:path";
import type Router from "@koa/router";
import { Type } from "@slipway/sdk";
import type { Middleware, RequestContext, RequestState } from "../middleware/request-state.js";
import type { PluginAdministration, PluginOverview } from "../plugins/plugin-administration.js";
import type { PluginState } from "../plugins/plugin-state.js";
import { pluginNotFound } from "../request-errors.js";
import { bodyReader } from "./json-request.js";

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 100 });

const readNothing = bodyReader(Type.Object({}, closed));
const readRollback = bodyReader(
  Type.Object({ release: Type.Optional(Name), version: Type.Optional(Name) }, closed),
);
const readEnable = bodyReader(Type.Object({ version: Type.Optional(Name) }, closed));

/** `/api/plugins`: look at them, look into the folders, roll back, disable and enable. `guard` sees what changes something. */
export function pluginRoutes(
  router: Router<RequestState>,
  plugins: PluginAdministration,
  guard: Middleware,
): void {
  const states = () => plugins.states().map(withoutPlace);

  router.get("/api/plugins", (ctx) => {
    ctx.body = { plugins: states() };
  });

  router.get("/api/plugins/:plugin", (ctx) => {
    ctx.body = overviewOf(plugins, pluginOf(ctx));
  });

  router.post("/api/plugins/look", guard, async (ctx) => {
    await readNothing(ctx);
    await plugins.look();
    ctx.body = { plugins: states() };
  });

  router.post("/api/plugins/:plugin/rollback", guard, async (ctx) => {
    const plugin = pluginOf(ctx);
    const rollbacks = await plugins.rollback({
      plugin,
      ...(await readRollback(ctx)),
      actor: clientOf(ctx),
    });
    ctx.body = { plugin: overviewOf(plugins, plugin), rollbacks };
  });

  router.post("/api/plugins/:plugin/disable", guard, async (ctx) => {
    const plugin = pluginOf(ctx);
    await readNothing(ctx);
    await plugins.disable(plugin, clientOf(ctx));
    ctx.body = { plugin: overviewOf(plugins, plugin) };
  });

  router.post("/api/plugins/:plugin/enable", guard, async (ctx) => {
    const plugin = pluginOf(ctx);
    const { version } = await readEnable(ctx);
    await plugins.enable(plugin, clientOf(ctx), version);
    ctx.body = { plugin: overviewOf(plugins, plugin) };
  });
}

function pluginOf(ctx: RequestContext & { params: Record<string, string> }): string {
  return ctx.params["plugin"] ?? "";
}

function overviewOf(plugins: PluginAdministration, plugin: string): PluginOverview {
  const overview = plugins.overview(plugin);
  if (overview === undefined) {
    const names = plugins.states().flatMap(({ name }) => name ?? []);
    throw pluginNotFound(plugin, [...new Set(names)]);
  }
  return { ...overview, versions: overview.versions.map(withoutPlace) };
}

/** For the event log. */
function clientOf(ctx: RequestContext): string {
  return `api ${ctx.ip.replace(/^::ffff:/i, "")}`;
}

/** Where the folders lie is nothing for clients; the log has it. */
export function withoutPlace<State extends Pick<PluginState, "folder">>(state: State): State {
  return { ...state, folder: basename(state.folder) };
}
