import { RequestError } from "../../errors.js";

/** 500 for a plugin that uses the host wrongly. */
export function pluginMistake(message: string, reason?: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}
