import { describe, RequestError } from "@slipway/sdk";

const longestToken = 8000;

/** A store with the credentials for it. */
export interface StoreAccess {
  /** Base address, which ends with "/". */
  url: URL;
  /** Empty without credentials. */
  token: string;
}

/** Parses the base address in a request; 400 `request-bad-request` when invalid. */
export function storeUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    !/[?#]/.test(text);
  if (!isBase) {
    throw badParameter("owdsURL", "an http or https address without user name, password, query and fragment");
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** Validates the token of a request for use in a header; 400 `request-bad-request` without the token. */
export function storeToken(text: string): string {
  if (text.length <= longestToken && /^[\x21-\x7e]*$/.test(text)) return text;
  throw badParameter("authToken", `at most ${longestToken} visible ASCII characters`);
}

/** Names the parameter without its value, which may be confidential. */
function badParameter(name: string, expected: string): RequestError {
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `${describe({ path: `query.${name}`, expected })}.`,
    additionalInformation: { parameter: name },
  });
}
