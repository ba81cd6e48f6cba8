/** Parts of project files that this project document has no member for, held as they came. */
import { type Static, Type } from "../schema.js";
import { Block, closed } from "./values.js";

/** XML names without prefix: what is kept is written into files again, where a prefix would be bound to nothing. */
export const xmlNamePattern = "^[A-Za-z_][A-Za-z0-9._-]{0,99}$";

const KeptAttributes = Type.Record(Type.String({ pattern: xmlNamePattern }), Block, {
  additionalProperties: false,
});

/**
 * An element as a file had it. Elements inside it follow it, with a `level` that is one more than its own (0 when
 * absent). With `of` it stands for the element that has these attributes, of which only the further ones are kept.
 */
export const KeptElement = Type.Object(
  {
    name: Type.String({ pattern: xmlNamePattern }),
    level: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
    of: Type.Optional(KeptAttributes),
    attributes: Type.Optional(KeptAttributes),
    text: Type.Optional(Block),
  },
  closed,
);
/** An element as a file had it; those inside it follow it, with a `level` that is one more than its own. */
export type KeptElement = Static<typeof KeptElement>;

/**
 * What a project file said of something beyond the members of this document. `writeObk` and `writeObx` write it again,
 * for the programs that know it.
 */
export const KeptParts = Type.Object(
  { attributes: Type.Optional(KeptAttributes), elements: Type.Optional(Type.Array(KeptElement)) },
  closed,
);
/** What a project file said of something beyond the members of this document; it is written again. */
export type KeptParts = Static<typeof KeptParts>;
