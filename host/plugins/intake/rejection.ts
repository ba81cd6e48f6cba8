/** Something about a plugin's content keeps it from being served; the message says what, for the plugin's admin or author. */
export class Rejection extends Error {
  override readonly name = "Rejection";
}
