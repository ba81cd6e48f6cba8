/** Exit code of wrong use and of a wrong configuration, so that scripts can tell it from what failed or was refused (1). */
export const wrongUse = 2;

/** A command was used in a way that cannot be meant; the message says how it is. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
