/** Content of project files without a member in the project document, kept unchanged. */
import { type Static, Type } from "../schema.js";
import { Block, closed } from "./values.js";

/** XML names without prefix: kept content is written to files again, where prefixes would be unbound. */
export const xmlNamePattern = "^[A-Za-z_][A-Za-z0-9._-]{0,99}$";

const KeptAttributes = Type.Record(Type.String({ pattern: xmlNamePattern }), Block, {
  additionalProperties: false,
});

/**
 * An unchanged element of a file. Its descendants follow it, each with a `level` one above its parent's (default: 0).
 * `of` identifies a known element by its attributes; only its further attributes are kept.
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
/** An unchanged element of a file. Its descendants follow it, each with a `level` one above its parent's. */
export type KeptElement = Static<typeof KeptElement>;

/**
 * Content of a project file without a member in this document. `writeObk` and `writeObx` write it again, for programs
 * that use it.
 */
export const KeptParts = Type.Object(
  { attributes: Type.Optional(KeptAttributes), elements: Type.Optional(Type.Array(KeptElement)) },
  closed,
);
/** Content of a project file without a member in this document; it is written again. */
export type KeptParts = Static<typeof KeptParts>;
