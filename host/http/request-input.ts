import { type GivenInput, type ValidInput, validInput } from "@slipway/sdk/runtime/host";
import { type RequestContext, targetOf } from "./request-state.js";

/** The raw input of a request for its route. */
export function givenInput(ctx: RequestContext): GivenInput {
  return { body: ctx.state.body, query: ctx.query, params: targetOf(ctx).params };
}

/** Validates the input of a request; one 400 lists all problems. */
export function requestInput(ctx: RequestContext): ValidInput {
  const { plugin, route } = targetOf(ctx);
  return validInput(plugin, route, givenInput(ctx));
}
