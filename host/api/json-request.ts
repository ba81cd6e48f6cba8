import { checked, type Static, type TSchema, Validator } from "@slipway/sdk";
import { hasBody } from "../middleware/json-body.js";
import { jsonReader } from "../middleware/koa-body-adapter.js";
import type { RequestContext } from "../middleware/request-state.js";
import { unsupportedMediaType } from "../request-errors.js";

const mediaType = "application/json";
const largestBody = 64 * 1024;
const read = jsonReader(largestBody);
const validator = new Validator();
const queryValidator = new Validator({ coerce: true });

/**
 * Reads the body of a request to change something; none is `{}`. 415 for every other media type, also when there is no
 * body: browsers send forms and texts to other origins without asking, but JSON only after a preflight, which CORS
 * refuses.
 */
export function bodyReader<S extends TSchema>(schema: S): (ctx: RequestContext) => Promise<Static<S>> {
  const check = validator.compile(schema, "body");
  return async (ctx) => {
    if (ctx.request.type.toLowerCase() !== mediaType)
      throw unsupportedMediaType(ctx.get("Content-Type"), [mediaType]);
    return checked(check(hasBody(ctx) ? await read(ctx) : {}), invalid);
  };
}

/** Reads the query of a request; 400 `request-bad-request` lists everything that is wrong with it. */
export function queryReader<S extends TSchema>(schema: S): (ctx: RequestContext) => Static<S> {
  const check = queryValidator.compile(schema, "query");
  return (ctx) => checked(check({ ...ctx.query }), invalid);
}

const invalid = "The request is not valid";
