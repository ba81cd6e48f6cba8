/** One line of a plugin's log. */
export interface TestLogLine {
  /** By the test host's clock. */
  time: Date;
  /** How bad it is. */
  level: "debug" | "info" | "warn" | "error";
  /** What the plugin said. */
  message: string;
  /** After a way through JSON; errors as text with their stack. */
  fields: Readonly<Record<string, unknown>>;
  /** Name and version of the plugin that wrote it or that it is about, such as `greeting@1.0.0`. */
  plugin: string;
  /** Of the request that it was written for. */
  requestId?: string;
}
