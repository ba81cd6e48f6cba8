import { Type } from "@slipway/sdk";
import { Nothing, Unread } from "./operation.js";

/** Common parts of operations that list numbered entries or stream them. */
export const feed = {
  method: "GET",
  roles: ["read", "operate"],
  isGuarded: true,
  params: Nothing,
  body: Unread,
  errors: { 503: ["request-overloaded"] },
} as const;

/** Query parameter: start after this id. */
export const After = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      "Starts after the event with this id. For a stream, the header Last-Event-ID takes precedence.",
  }),
);

/** Query parameter: length of a list; streams are unlimited. */
export const Limit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: "Maximum length of a list; without `after` it has the last entries. A stream has no limit.",
});
