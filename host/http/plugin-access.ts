import type { Configuration } from "../configuration/configuration.js";
import type { Access } from "../security/access.js";
import type { Middleware } from "./request-state.js";

/** Requires a key with the role `sessions` for all plugin paths, if so configured. */
export function pluginAccess(access: Access, configuration: Configuration["access"]): Middleware {
  return async (ctx, next) => {
    if (configuration.plugins === "key" && ctx.path.includes("/EAIWS/plugins/"))
      ctx.state.caller = await access.demand(ctx, { roles: ["sessions"] });
    await next();
  };
}
