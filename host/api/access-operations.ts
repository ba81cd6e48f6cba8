import { Type } from "@slipway/sdk";
import type { Access } from "../security/access.js";
import { Role } from "../security/caller.js";
import { Nothing, ok, operation, Unread } from "./operation.js";

/** The rights of the caller. */
export const AccessAnswer = Type.Object(
  {
    required: Type.Boolean({ description: "Whether this host requires keys." }),
    key: Type.Optional(Type.String({ description: "Name of the key of the request." })),
    roles: Type.Array(Role, { description: "Roles of the key; all roles if no key is required." }),
  },
  { title: "Access" },
);

/** `/api/access`: whether keys are required, and the rights of the caller's key. */
export function accessOperations(access: Access) {
  return [
    operation({
      method: "GET",
      path: "/api/access",
      id: "getAccess",
      tag: "host",
      summary: "Rights of the caller",
      description: "Works without a key; an invalid key gets 401.",
      roles: [],
      params: Nothing,
      query: Unread,
      body: Unread,
      answers: ok("The caller's rights.", AccessAnswer),
      errors: { 401: ["request-unauthorized"], 429: ["request-rate-limited"] },
      handle(ctx, { caller: { key, roles } }) {
        ctx.body = { required: access.isRequired, ...(key !== undefined && { key }), roles };
      },
    }),
  ];
}
