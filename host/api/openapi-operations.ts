import { Type } from "@slipway/sdk";
import { notFound } from "@slipway/sdk/runtime/host";
import type { Documents } from "./openapi/document.js";
import { Nothing, operation, Unread } from "./operation.js";

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

/** `/openapi.json`: the description of host and plugins. */
export function openApiOperations(documents: Documents) {
  return [
    operation({
      method: "GET",
      path: "/openapi.json",
      id: "getDescription",
      tag: "host",
      summary: "This description",
      description:
        "It covers the live plugins, and changes with their versions. With a release, it has only the plugins under its prefix and the host's own operations; with a plugin, by name or alias, only that plugin.",
      roles: [],
      params: Nothing,
      query: Type.Object({ release: Name, plugin: Name }, { additionalProperties: false }),
      body: Unread,
      answers: {
        200: {
          description: "An OpenAPI 3.1 document.",
          headers: { ETag: "Changes with the document." },
          content: {
            "application/json": Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
          },
        },
        304: { description: "Not modified." },
      },
      // Only for an invalid key; no key is needed.
      errors: {
        401: ["request-unauthorized"],
        404: ["request-not-found"],
        429: ["request-rate-limited"],
      },
      handle(ctx, { query }) {
        const document = documents.get(query);
        if (document === undefined) throw notFound(ctx.url);
        // Revalidated each time: a plugin may have been swapped.
        ctx.set("Cache-Control", "no-cache");
        ctx.status = 200;
        ctx.etag = document.etag;
        ctx.type = "application/json";
        if (ctx.fresh) ctx.status = 304;
        else ctx.body = document.json;
      },
    }),
  ];
}
