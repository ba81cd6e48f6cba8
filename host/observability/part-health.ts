import { type Static, Type } from "@slipway/sdk";

/** What one part of the host says of itself. */
export const PartHealth = Type.Object(
  {
    ready: Type.Boolean(),
    detail: Type.String({
      description: "One sentence: what works, or what does not and how to mend it.",
    }),
    problems: Type.Optional(
      Type.Array(Type.String(), { description: "What is wrong without keeping the part from serving." }),
    ),
  },
  { title: "PartHealth" },
);
export type PartHealth = Static<typeof PartHealth>;
