import { type GivenInput, type ValidInput, validInput } from "@slipway/sdk/runtime/host";
import { type RequestContext, targetOf } from "./request-state.js";

/** What a request brings to its route. */
export function givenInput(ctx: RequestContext): GivenInput {
  return { body: ctx.state.body, query: ctx.query, params: targetOf(ctx).params };
}

/** Checks what a request brings to its route; one 400 lists everything that is wrong. */
export function requestInput(ctx: RequestContext): ValidInput {
  const { plugin, route } = targetOf(ctx);
  return validInput(plugin, route, givenInput(ctx));
}
