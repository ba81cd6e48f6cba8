/** Mistakes that the compiler finds in the handlers of a plugin: `npm test` fails when one is accepted. */
import { reply, route, serviceMethod, Type } from "@slipway/sdk";

const Sum = Type.Object({
  count: Type.Integer(),
  kind: Type.Union([Type.Literal("net"), Type.Literal("gross")]),
  at: Type.Optional(Type.String()),
  lines: Type.Array(Type.Object({ label: Type.String() })),
  facts: Type.Optional(Type.Unknown()),
});
const lines = [{ label: "Desk" }];
const output = { summary: "Sums up.", response: Sum };

export const accepted = [
  route.get("plain", { ...output, handler: () => ({ count: 1, kind: "net", lines }) }),
  route.get("later", {
    ...output,
    async handler() {
      return { count: 1, kind: "gross", at: new Date(0), lines: [], facts: { any: 1 } };
    },
  }),
  route.get("optional", { ...output, handler: () => ({ count: 1, kind: "net", at: undefined, lines }) }),
  route.get("free", { summary: "Has no schema.", handler: () => ({ anything: 1 }) }),
  route.get("items/:number/parts/:part", {
    summary: "Has parameters.",
    handler: ({ params }) => `${params.number} ${params.part}`,
  }),
  route.get("page", {
    ...output,
    produces: ["text/html"],
    handler: ({ locale }) => (locale === "de" ? reply.html("") : { count: 1, kind: "net" as const, lines }),
  }),
  serviceMethod({ summary: "Sums up.", output: Sum, handler: () => ({ count: 1, kind: "net", lines }) }),
];

export const refused = [
  // @ts-expect-error A member is missing.
  route.get("missing", { ...output, handler: () => ({ count: 1, lines }) }),
  // @ts-expect-error A number is no text.
  route.get("wrong", { ...output, handler: () => ({ count: "1", kind: "net", lines }) }),
  // @ts-expect-error There is no such kind.
  route.get("literal", { ...output, handler: () => ({ count: 1, kind: "other", lines }) }),
  // @ts-expect-error The schema has no total.
  route.get("surplus", { ...output, handler: () => ({ count: 1, kind: "net", lines, total: 1 }) }),
  route.get("inside", {
    ...output,
    // @ts-expect-error The lines have no price.
    handler: () => ({ count: 1, kind: "net", lines: [{ label: "", price: 1 }] }),
  }),
  // @ts-expect-error What looks like a page is JSON.
  route.get("likeness", { ...output, handler: () => ({ html: "" }) }),
  // @ts-expect-error A promise inside is no value.
  route.get("promise", { ...output, handler: () => ({ count: Promise.resolve(1), kind: "net", lines }) }),
  route.post("body", {
    summary: "Has no body schema.",
    // @ts-expect-error The body has no schema.
    handler: ({ body }) => body.count,
  }),
  route.get("items/:number", {
    summary: "Has no such parameter.",
    // @ts-expect-error The path names it "number".
    handler: ({ params }) => params.id,
  }),
  serviceMethod({
    summary: "Sums up.",
    output: Sum,
    // @ts-expect-error The schema has no total.
    handler: () => ({ count: 1, kind: "net", lines, total: 1 }),
  }),
];
