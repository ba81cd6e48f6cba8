/** Something about content that others made keeps it from being used; the message says what, for its admin or author. */
export class Rejection extends Error {
  override readonly name = "Rejection";
}
