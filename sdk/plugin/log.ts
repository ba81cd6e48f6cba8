/** Structured log. `fields` become members of the line; a field `error` is written with its stack. */
export interface Log {
  /** For debugging; only written if the server's log level includes it. */
  debug(message: string, fields?: Record<string, unknown>): void;
  /** For normal events. */
  info(message: string, fields?: Record<string, unknown>): void;
  /** For problems that an admin should check although the plugin continues. */
  warn(message: string, fields?: Record<string, unknown>): void;
  /** For failures. */
  error(message: string, fields?: Record<string, unknown>): void;
}
