/** A plugin that answers in every way that there is. */
import { badRequest, definePlugin, RequestError, route, SessionId, Type, text } from "@slipway/sdk";
import { assetRoutes } from "./asset-routes.js";
import { fileRoutes } from "./file-routes.js";
import { hostRoutes } from "./host-routes.js";
import { memberRoutes } from "./member-routes.js";

const requests = [
  route.get("text", { summary: "Plain text.", handler: () => text("Grüße") }),
  route.get("json", {
    summary: "A JSON object.",
    handler: () => ({ text: "ä", date: new Date(0), no: undefined }),
  }),
  route.get("list", { summary: "A list.", handler: () => [1, null] }),
  route.get("word", { summary: "A text as JSON.", handler: () => "word" }),
  route.get("null", { summary: "Null.", handler: () => null }),
  route.get("nothing", { summary: "Nothing that JSON can hold.", handler: () => undefined }),
  route.get("items/list", { summary: "Literal.", handler: () => ({ literal: true }) }),
  route.get("items/:id", { summary: "A parameter.", handler: ({ params }) => params }),
  route.delete("items/:id", {
    summary: "Another method.",
    handler: ({ params }) => ({ gone: params["id"] }),
  }),
  route.get("items/:id/parts/:part", { summary: "Two parameters.", handler: ({ params }) => params }),
  route.get("numbers/:number", {
    summary: "A number in the path.",
    params: Type.Object({ number: Type.Integer({ maximum: 9 }) }),
    handler: ({ params }) => params,
  }),
  route.get("search", {
    summary: "A query with schema.",
    query: Type.Object(
      {
        count: Type.Integer({ minimum: 1, default: 10 }),
        exact: Type.Optional(Type.Boolean()),
        words: Type.Optional(Type.Array(Type.String())),
      },
      { additionalProperties: false },
    ),
    handler: ({ query }) => ({ query }),
  }),
  route.post("order", {
    summary: "A body with schema.",
    body: Type.Object(
      {
        name: Type.String({ minLength: 2 }),
        count: Type.Integer({ default: 1 }),
        lines: Type.Optional(Type.Array(Type.Object({ price: Type.Number() }))),
      },
      { additionalProperties: false },
    ),
    handler: ({ body }) => ({ body }),
  }),
  route.put("order/:id", {
    summary: "No schema.",
    handler: ({ body, params }) => ({ body: body ?? "none", params }),
  }),
  route.get("good-answer", {
    summary: "Keeps its response schema.",
    response: Type.Object({ when: Type.String(), count: Type.Integer() }),
    handler: () => ({ when: new Date(0), count: 3 }),
  }),
  route.get("broken-answer", {
    summary: "Breaks its response schema.",
    response: Type.Object({ count: Type.Integer() }),
    handler: () => JSON.parse('{ "count": "three" }'),
  }),
  route.get("headers", {
    summary: "Sets headers.",
    handler: ({ header }) => {
      header("Slipway-Rows", "12");
      header("Slipway-Unit", "a b~c");
      return {};
    },
  }),
  route.get("foreign-header", {
    summary: "Sets what it may not.",
    handler: ({ header }) => header("Set-Cookie", "a=b"),
  }),
  route.get("identity", { summary: "The id of the request.", handler: ({ requestId }) => ({ requestId }) }),
];

const errors = [
  route.get("throws", {
    summary: "Throws.",
    handler: () => {
      throw new Error("Nobody has to know this.");
    },
  }),
  route.get("throws-text", { summary: "Throws no error.", handler: () => Promise.reject("text") }),
  route.get("refuses", {
    summary: "A RequestError.",
    handler: () => {
      throw new RequestError({
        id: "answer-refused",
        code: 422,
        message: "This cannot be answered.",
        cause: ["because"],
        additionalInformation: { row: 3 },
        headers: { "Retry-After": "7", "X-Other": "no" },
        reason: new Error("secret"),
      });
    },
  }),
  route.get("unavailable", {
    summary: "A RequestError of 503.",
    handler: () => {
      throw new RequestError({ id: "answer-later", code: 503, message: "Later." });
    },
  }),
  route.get("no-status", {
    summary: "A RequestError with a status that is none.",
    handler: () => {
      throw new RequestError({ id: "answer-odd", code: 200, message: "Odd." });
    },
  }),
  route.get("unfit-error", {
    summary: "A RequestError that JSON cannot hold.",
    handler: () => {
      throw new RequestError({
        id: "answer-big",
        code: 400,
        message: "Big.",
        additionalInformation: { n: 1n },
      });
    },
  }),
  route.get("bad-request", {
    summary: "A 400 of its own.",
    handler: () => {
      throw badRequest("The order is not valid", [
        { path: "body.name", expected: "a name", received: "nothing" },
      ]);
    },
  }),
  route.get("suppressed", {
    summary: "Suppresses errors.",
    handler: ({ suppress }) => {
      suppress({
        id: "item-price-missing",
        message: "No price.",
        scope: "WARN",
        additionalInformation: { row: 1 },
      });
      suppress({ id: "item-odd", message: "Odd.", cause: ["why"] });
      return { rows: 1, errors: [{ own: true }] };
    },
  }),
  route.get("suppressed-in-list", {
    summary: "Suppresses where there is no room for it.",
    handler: ({ suppress }) => {
      suppress({ id: "item-odd", message: "Odd." });
      return [1];
    },
  }),
  route.get("waits", {
    summary: "Waits for its deadline.",
    timeout: 300,
    handler: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
  }),
];

const sessions = [
  route.post("session", {
    summary: "Needs a session.",
    body: Type.Object({ sessionId: SessionId, count: Type.Optional(Type.Integer()) }),
    session: "required",
    handler: async ({ session, locale }) => {
      const { id, revision } = session;
      return { id, revision, locale, name: (await session.project()).header.name };
    },
  }),
  route.get("session", {
    summary: "Needs a session by its query.",
    session: "required",
    handler: async ({ session }) => ({ items: (await session.project()).items.length }),
  }),
  route.post("optional-session", {
    summary: "Takes a session.",
    session: "optional",
    handler: ({ session, locale }) => ({ id: session?.id ?? "none", locale }),
  }),
  route.post("frozen", {
    summary: "Changes the project, which it may not.",
    session: "required",
    handler: async ({ session }) => {
      (await session.project()).items.length = 0;
    },
  }),
  route.get("asset/:key", {
    summary: "Bytes of a picture.",
    session: "required",
    handler: async ({ session, params }) => ({
      bytes: (await session.asset(params["key"] ?? ""))?.byteLength ?? "none",
    }),
  }),
];

export default definePlugin({
  config: Type.Object(
    { unit: Type.String(), limit: Type.Integer({ default: 3 }) },
    { additionalProperties: false },
  ),
  setup: (host, config) => ({
    routes: [
      ...requests,
      ...memberRoutes,
      ...errors,
      ...sessions,
      ...assetRoutes(host),
      ...fileRoutes(host),
      ...hostRoutes(host),
      route.get("config", {
        summary: "What it is set up with.",
        handler: () => ({ config, plugin: host.plugin }),
      }),
    ],
  }),
});
