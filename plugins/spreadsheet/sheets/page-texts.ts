import type { ExportContext } from "../request/export-context.js";
import type { PrintSettings } from "../workbook/sheet.js";

/** What each printed page says: the project, and how many pages there are. */
export function pageTexts({ project, words }: ExportContext): PrintSettings {
  const { name = "", number = "" } = project.header;
  return {
    header: { left: [name, number].filter((text) => text !== "").join(" · ") },
    footer: { pages: words.pages },
  };
}
