import { type Route, route, Type } from "@slipway/sdk";

const Note = Type.Union([
  Type.Object({ type: Type.Literal("text"), text: Type.String(), language: Type.Optional(Type.String()) }),
  Type.Object({
    type: Type.Literal("mark"),
    language: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
]);

const Size = Type.Union([
  Type.Object({ width: Type.Number(), unit: Type.Optional(Type.String()) }),
  Type.Object({ diameter: Type.Number(), unit: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
]);

const Pair = Type.Object({ a: Type.Optional(Type.String()) });

/** A tree, as a schema that refers to itself. */
const Folder = Type.Cyclic(
  {
    Folder: Type.Object({
      name: Type.String(),
      comment: Type.Optional(Type.String()),
      folders: Type.Optional(Type.Array(Type.Ref("Folder"))),
    }),
  },
  "Folder",
);

const Members = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer({ default: 1 }),
    comment: Type.Optional(Type.String()),
    nullable: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    anything: Type.Optional(Type.Unknown()),
    choice: Type.Optional(Type.Enum(["a", "b"])),
    inner: Type.Optional(Type.Object({ name: Type.String(), comment: Type.Optional(Type.String()) })),
    list: Type.Optional(
      Type.Array(Type.Object({ price: Type.Number(), unit: Type.Optional(Type.String()) })),
    ),
    pair: Type.Optional(Type.Unsafe<unknown[]>({ type: "array", prefixItems: [Pair, { type: "string" }] })),
    texts: Type.Optional(Type.Record(Type.String(), Type.String())),
    data: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    notes: Type.Optional(Type.Array(Note)),
    sizes: Type.Optional(Type.Array(Size)),
    both: Type.Optional(
      Type.Intersect([
        Type.Object({ a: Type.Optional(Type.String()) }),
        Type.Object({ b: Type.Optional(Type.String()) }),
      ]),
    ),
    folder: Type.Optional(Folder),
  },
  { additionalProperties: false },
);

/** What becomes of a body. */
export const memberRoutes: Route[] = [
  route.post("members", {
    summary: "Members of all kinds.",
    body: Members,
    handler: ({ body }) => ({ body }),
  }),
  route.put("members", {
    summary: "The same, without a schema.",
    handler: ({ body }) => ({ body }),
  }),
];
