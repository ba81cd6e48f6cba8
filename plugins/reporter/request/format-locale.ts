import { badRequest, parseLocale, shownValue } from "@slipway/sdk";

/**
 * The locale of numbers, prices and dates: `dateTimeLocale` of the request, or that of the session.
 * @throws {RequestError} 400 `request-bad-request` where the text names no locale
 */
export function formatLocale(requested: string | undefined, sessionLocale: string): string {
  const wanted = requested?.trim() ?? "";
  if (wanted === "") return sessionLocale;
  if (parseLocale(wanted) !== undefined) return wanted;
  throw badRequest("Not a locale", [
    {
      path: "body.dateTimeLocale",
      expected: 'a locale such as "de_DE"',
      received: shownValue(requested),
    },
  ]);
}
