import type { ExportContext } from "../request/export-context.js";
import type { PrintSettings } from "../workbook/sheet.js";

/** Header and footer of printed pages: the project, and page numbers. */
export function pageTexts({ project, words }: ExportContext): PrintSettings {
  const { name = "", number = "" } = project.header;
  return {
    header: { left: [name, number].filter((text) => text !== "").join(" · ") },
    footer: { pages: words.pages },
  };
}
