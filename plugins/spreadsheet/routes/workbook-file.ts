import type { Host, Session, StoredFile } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import { articleList } from "../sheets/article-list.js";
import { calculation } from "../sheets/calculation.js";
import { report } from "../sheets/report.js";
import { workbookMediaType, writeWorkbook } from "../workbook/write-workbook.js";

/** Stores the workbook of an export: article list, calculation, and the project as a whole. */
export async function workbookFile(
  host: Host,
  stem: string,
  context: ExportContext,
  { session, signal }: { session: Session; signal: AbortSignal },
): Promise<StoredFile> {
  const { project, locale, now } = context;
  const workbook = {
    sheets: [articleList(context, { pictures: true }), calculation(context), report(context)],
    title: project.header.name ?? stem,
    ...(project.header.createdBy === undefined ? {} : { author: project.header.createdBy }),
    created: now,
    locale,
  };
  const content = writeWorkbook(workbook, {
    asset: (key) => session.asset(key),
    suppress: context.suppress,
    signal,
  });
  return await host.files.create({ name: `${stem}.xlsx`, mediaType: workbookMediaType, content });
}
