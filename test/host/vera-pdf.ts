/**
 * A real checker of PDF/A and PDF/UA, on machines that have one: its program stands in
 * `SLIPWAY_VERAPDF`. Uses the part itself: what runs that program for the command line.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as Tap from "tap";
import { veraPdfFailures } from "../../host/cli/vera-pdf.js";

/** Checks that veraPDF agrees that a PDF conforms to these profiles, such as "3a"; nothing without veraPDF. */
export async function realChecker(t: Tap.Test, pdf: Uint8Array, profiles: string[]): Promise<void> {
  const program = process.env["SLIPWAY_VERAPDF"];
  if (program === undefined) return;
  const path = join(t.testdir(), "checked.pdf");
  await writeFile(path, pdf);
  for (const profile of profiles) t.strictSame(await veraPdfFailures(program, path, profile), [], profile);
}
