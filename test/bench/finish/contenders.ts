/**
 * Ways to make one PDF of several, or a smaller one of one. Uses the part itself: only finishing is measured, without a
 * browser and without HTTP.
 */
import type { ArchiveLevel } from "@slipway/sdk/runtime/pdf";

export interface Input {
  report: Uint8Array;
  before: Uint8Array[];
  after: Uint8Array[];
}

/** What each does; loaded in a process of its own, so that the first time is a first time. */
export const contenders = {
  "own finisher": (input: Input) => finished(input, false),
  "own finisher, PDF/UA": (input: Input) => finished(input, true),
  "own finisher, PDF/UA and PDF/A": (input: Input) => finished(input, true, "A"),
  "@cantoo/pdf-lib, copyPages": copiedPages,
  "@cantoo/pdf-lib, report as base": addedToReport,
};
export type Contender = keyof typeof contenders;

async function finished(input: Input, tagged: boolean, archive?: ArchiveLevel): Promise<Uint8Array> {
  const { finish } = await import("../../../host/pdf/finish/finish.js");
  const { content, refused } = await finish({ ...input, pages: 10_000, tagged, archive });
  if (refused.length > 0) throw new Error(`left out: ${JSON.stringify(refused)}`);
  return content;
}

async function copiedPages({ report, before, after }: Input): Promise<Uint8Array> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const joined = await PDFDocument.create();
  for (const content of [...before, report, ...after]) {
    const part = await PDFDocument.load(content, { updateMetadata: false });
    for (const page of await joined.copyPages(part, part.getPageIndices())) joined.addPage(page);
  }
  return joined.save();
}

async function addedToReport({ report, before, after }: Input): Promise<Uint8Array> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const joined = await PDFDocument.load(report, { updateMetadata: false });
  const pagesOf = async (content: Uint8Array) => {
    const part = await PDFDocument.load(content, { updateMetadata: false });
    return joined.copyPages(part, part.getPageIndices());
  };
  let position = 0;
  for (const content of before)
    for (const page of await pagesOf(content)) joined.insertPage(position++, page);
  for (const content of after) for (const page of await pagesOf(content)) joined.addPage(page);
  return joined.save({ updateFieldAppearances: false });
}
