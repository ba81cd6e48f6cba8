/** Programs of others that read PDFs, on machines that have them. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Each with the variable that names it, and the package of Debian and Ubuntu that has it. */
const programs = {
  qpdf: { variable: "SLIPWAY_QPDF", system: "qpdf" },
  pdfdetach: { variable: "SLIPWAY_PDFDETACH", system: "poppler-utils" },
} as const;

/** Runs a program and resolves with its output; rejects with what it complains of, warnings included. */
export type PdfProgram = (...parameters: string[]) => Promise<string>;

/** The program, or in a sentence why there is none and what to do about it; that is also told on standard error. */
export function findPdfProgram(name: keyof typeof programs, environment = process.env): PdfProgram | string {
  const { variable, system } = programs[name];
  const named = environment[variable];
  const installed = (environment["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  const path = named ?? installed;
  if (path !== undefined && existsSync(path))
    return async (...parameters) => (await run(path, parameters)).stdout;
  const reason =
    named === undefined
      ? `${name} is not installed. Install it (apt-get install ${system}), or name its program in ${variable}.`
      : `${variable} names "${named}", which is not there.`;
  process.stderr.write(`Tests with ${name} are left out. ${reason}\n`);
  return reason;
}
