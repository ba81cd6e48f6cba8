import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { printable } from "../system/terminal-text.js";
import { commandGroup } from "./command-group.js";
import { requireFree } from "./free-path.js";
import { endWithChecks, endWithJsonChecks } from "./shown-results.js";

/** `slipway pdf`: checks PDFs and extracts their files, without a running host. */
export function pdfCommand(): Command {
  const group = new Command("pdf").addHelpText(
    "after",
    `
Examples:
  $ slipway pdf check order.pdf
  $ slipway pdf attachments order.pdf --out order`,
  );
  return commandGroup(group, [checkCommand(), attachmentsCommand()]);
}

/** `slipway pdf check`: exits with 1 if the PDF breaks a rule of a standard that it claims. */
function checkCommand(): Command {
  return new Command("check")
    .description("check a PDF against PDF/A-3 and PDF/UA-1")
    .argument("<file>", "the PDF")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      `
Checks the standards that the PDF claims, or both if it claims none, as far as this can be done without rendering; each mistake is
told with its clause. Programs within fonts, widths of glyphs and compressed pictures are not checked. SLIPWAY_VERAPDF names the
program of veraPDF, which then checks the PDF as well. Ends with 1 when something is wrong.

Examples:
  $ slipway pdf check order.pdf
  $ SLIPWAY_VERAPDF=/opt/verapdf/verapdf slipway pdf check order.pdf --json`,
    )
    .action(async (file: string, { json }: { json?: true }) => {
      const { pdfChecks } = await import("./pdf-checks.js");
      const checks = pdfChecks(file, process.env["SLIPWAY_VERAPDF"]);
      await (json ? endWithJsonChecks(checks) : endWithChecks(checks, "Nothing is wrong."));
    });
}

/** `slipway pdf attachments`: writes the files within a PDF; prints their paths. */
function attachmentsCommand(): Command {
  return new Command("attachments")
    .description("write the files that a PDF carries into a folder")
    .argument("<file>", "the PDF")
    .requiredOption("--out <folder>", "where to write the files; those that are there stay as they are")
    .addHelpText(
      "after",
      `
The paths of the files go to standard output, one a line, and nothing else. The PDF says how its files are called, so names are
made safe, and none is written if one of them is there already. A PDF without files is no mistake.

Examples:
  $ slipway pdf attachments order.pdf --out order`,
    )
    .action(async (file: string, { out }: { out: string }) => {
      const { attachmentsOf } = await import("./pdf-attachments.js");
      const attachments = attachmentsOf(await readFile(file));
      const files = attachments.map(({ name, content }) => ({ path: join(out, name), content }));
      for (const { path } of files)
        await requireFree(path, "nothing is overwritten, name another folder with --out");
      await mkdir(out, { recursive: true });
      for (const { path, content } of files) {
        await writeFile(path, content(), { flag: "wx" });
        process.stdout.write(`${path}\n`);
      }
      if (attachments.length === 0) process.stderr.write(`${printable(file)} carries no files.\n`);
    });
}
