/** The checks of `slipway pdf check`. */
import { readFile } from "node:fs/promises";
import {
  type AccessibilityFinding,
  type ArchiveFinding,
  checkAccessibility,
  checkArchive,
  claimsOf,
  PdfFormatError,
} from "@slipway/sdk/runtime/pdf";
import { errorMessage } from "../system/errors.js";
import type { Check } from "./shown-results.js";
import { veraPdfFailures } from "./vera-pdf.js";

/** Checks a PDF against the standards that it claims, or both. `veraPdf`: path of that program, to run it as well. */
export async function* pdfChecks(path: string, veraPdf: string | undefined): AsyncGenerator<Check> {
  const pdf = await readFile(path);
  try {
    const { accessible, archive } = claimsOf(pdf);
    const claimsNothing = !accessible && archive === undefined;
    const level = archive ?? "B";
    if (claimsNothing || archive !== undefined) {
      yield* standardChecks(`PDF/A-3${archive ?? ""}`, checkArchive(pdf));
      if (veraPdf !== undefined) yield* veraPdfChecks(veraPdf, path, `3${level.toLowerCase()}`);
    }
    if (claimsNothing || accessible) {
      yield* standardChecks("PDF/UA-1", checkAccessibility(pdf));
      if (veraPdf !== undefined) yield* veraPdfChecks(veraPdf, path, "ua1");
    }
  } catch (error) {
    if (!(error instanceof PdfFormatError)) throw error;
    yield { name: "file", ok: false, detail: error.message };
  }
}

function* standardChecks(
  name: string,
  findings: readonly (AccessibilityFinding | ArchiveFinding)[],
): Generator<Check> {
  if (findings.length === 0) yield { name, ok: true, detail: "no rule that was checked is broken" };
  yield* ruleChecks(name, findings);
}

/** A failed check for each rule that a PDF breaks. */
export function ruleChecks(
  name: string,
  findings: readonly (AccessibilityFinding | ArchiveFinding)[],
): Check[] {
  return findings.map(({ rule, message, page }) => ({
    name,
    ok: false,
    detail: `${page === undefined ? "" : `page ${page}: `}${message} (${rule})`,
  }));
}

async function* veraPdfChecks(program: string, path: string, profile: string): AsyncGenerator<Check> {
  const name = `veraPDF ${profile}`;
  try {
    const failures = await veraPdfFailures(program, path, profile);
    if (failures.length === 0) yield { name, ok: true, detail: "it conforms" };
    for (const detail of failures) yield { name, ok: false, detail };
  } catch (error) {
    yield { name, ok: false, detail: errorMessage(error) };
  }
}
