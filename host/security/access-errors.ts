import { RequestError } from "@slipway/sdk";

/** 401 `request-unauthorized`. `isWrong`: a key came, but none that counts. */
export function unauthorized(message: string, isWrong = true): RequestError {
  return new RequestError({
    id: "request-unauthorized",
    code: 401,
    message,
    headers: { "WWW-Authenticate": isWrong ? 'Bearer error="invalid_token"' : "Bearer" },
  });
}

/** 403 `request-forbidden` for a key without the role. */
export function roleMissing(key: string, roles: readonly string[]): RequestError {
  return new RequestError({
    id: "request-forbidden",
    code: 403,
    message: `The key "${key}" may not do this; it takes the role ${roles.join(" or ")}.`,
    additionalInformation: { roles },
  });
}

/** 429 `request-rate-limited` that says when to come back. */
export function rateLimited(message: string, milliseconds: number): RequestError {
  return new RequestError({
    id: "request-rate-limited",
    code: 429,
    message,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(milliseconds / 1000))) },
  });
}
