import type { RequestContext } from "../middleware/request-state.js";
import { type Caller, Role } from "./caller.js";

/** Who asks where nobody needs a key: everybody may everything. */
export function openAccess(ctx: RequestContext): Caller {
  return { key: undefined, address: ctx.ip.replace(/^::ffff:/i, ""), roles: Role.enum };
}
