/** What several parts of the host refuse requests with. */
import { RequestError } from "@slipway/sdk";

/** 404 `request-not-found` for a plugin, with the names of those that there are. */
export function pluginNotFound(plugin: string, names: readonly string[]): RequestError {
  return new RequestError({
    id: "request-not-found",
    code: 404,
    message: `There is no plugin "${plugin.slice(0, 80)}".`,
    additionalInformation: { plugins: names },
  });
}

/** 415 that names what would do. */
export function unsupportedMediaType(received: string, accepted: readonly string[]): RequestError {
  return new RequestError({
    id: "request-unsupported-media-type",
    code: 415,
    message: `The content type ${received === "" ? "is missing" : `"${received}" is not supported`}; expected ${accepted.join(", ")}.`,
    additionalInformation: { accepted },
  });
}

/** 503 `request-overloaded`: there is too much of something; `seconds` until another try makes sense. */
export function overloaded(message: string, seconds = 1): RequestError {
  const headers = { "Retry-After": String(seconds) };
  return new RequestError({ id: "request-overloaded", code: 503, message, headers });
}
