import type { Configuration } from "../configuration/configuration.js";
import type { Access } from "../security/access.js";
import type { Middleware } from "./request-state.js";

/** Asks for a key with the role `sessions` before anything of a plugin is told, where the configuration says so. */
export function pluginAccess(access: Access, configuration: Configuration["access"]): Middleware {
  return async (ctx, next) => {
    if (configuration.plugins === "key" && ctx.path.includes("/EAIWS/plugins/"))
      ctx.state.caller = await access.demand(ctx, { roles: ["sessions"] });
    await next();
  };
}
