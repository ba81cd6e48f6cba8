import { RequestError } from "../../errors.js";
import type { Printing } from "../../runtime/services/printing.js";
import type { TestPrinter } from "../test-printer.js";

/** Prints with the printer of the test; without one every document ends with 503 that says what to give. */
export function givenPrinting(printer: TestPrinter | undefined): Printing {
  return {
    print: async ({ html, tagged, scripts, prependLinks, appendLinks, resources, signal }) => {
      if (printer === undefined) throw noPrinter();
      const load = (path: string): ReturnType<typeof resources.load> => resources.load(path);
      return await printer.print({ html, tagged, scripts, prependLinks, appendLinks, load, signal });
    },
  };
}

function noPrinter(): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: "This test host prints nothing; give createTestHost a `printer`, such as `chromiumPrinter()`.",
    headers: { "Retry-After": "1" },
  });
}
