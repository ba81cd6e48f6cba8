import { RequestError } from "@slipway/sdk";

const longestToken = 8000;

/** A store and who asks it. */
export interface StoreAccess {
  /** Base address, which ends with "/". */
  url: URL;
  /** Empty where there is none. */
  token: string;
}

/** The base address that a request names; 400 `request-bad-request` when it is none. */
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

/** The token of a request as a header can hold it; 400 `request-bad-request` says nothing of what it is instead. */
export function storeToken(text: string): string {
  if (text.length <= longestToken && /^[\x21-\x7e]*$/.test(text)) return text;
  throw badParameter("authToken", `at most ${longestToken} visible ASCII characters`);
}

/** Names the parameter without repeating it: both may hold what nobody else should read. */
function badParameter(name: string, expected: string): RequestError {
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `query.${name}: expected ${expected}`,
    additionalInformation: { parameter: name },
  });
}
