import type { Violation } from "@slipway/sdk";
import { type ValidInput, validInput } from "../plugins/routing/valid-input.js";
import { type RequestContext, targetOf } from "./request-state.js";

/** Checks what a request brings to its route; one 400 lists everything that is wrong, and `more` in front of it. */
export function requestInput(ctx: RequestContext, more: readonly Violation[] = []): ValidInput {
  const { plugin, route, params } = targetOf(ctx);
  return validInput(plugin, route, { body: ctx.state.body, query: ctx.query, params }, more);
}
