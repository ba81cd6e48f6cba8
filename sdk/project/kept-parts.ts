/** Parts of project files that this project document has no member for, held as they came. */
import { type Static, Type } from "../schema.js";
import { Block, closed } from "./values.js";

/** XML names without prefix: what is kept is written into files again, where a prefix would be bound to nothing. */
export const xmlNamePattern = "^[A-Za-z_][A-Za-z0-9._-]{0,99}$";

const KeptAttributes = Type.Record(Type.String({ pattern: xmlNamePattern }), Block, {
  additionalProperties: false,
});

/**
 * An element as a file had it. With `of` it stands for further attributes and elements of the one that has these
 * attributes; without, it is a whole element.
 */
export const KeptElement = Type.Cyclic(
  {
    KeptElement: Type.Object(
      {
        name: Type.String({ pattern: xmlNamePattern }),
        of: Type.Optional(KeptAttributes),
        attributes: Type.Optional(KeptAttributes),
        text: Type.Optional(Block),
        elements: Type.Optional(Type.Array(Type.Ref("KeptElement"))),
      },
      closed,
    ),
  },
  "KeptElement",
);
/** An element as a file had it; with `of`, further parts of the element that has these attributes. */
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
