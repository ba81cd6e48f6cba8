/** Structured log; `fields` are members of the line, `error` among them is written with its stack. */
export interface Log {
  /** For who looks for a mistake; not written unless the server asks for it. */
  debug(message: string, fields?: Record<string, unknown>): void;
  /** For what went as it should. */
  info(message: string, fields?: Record<string, unknown>): void;
  /** For what an admin should look at, though the plugin can go on. */
  warn(message: string, fields?: Record<string, unknown>): void;
  /** For what failed. */
  error(message: string, fields?: Record<string, unknown>): void;
}
