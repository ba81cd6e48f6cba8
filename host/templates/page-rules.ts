/** The `@page` rule of a document: paper size, margins and margin boxes. */
import type { TemplatePage } from "@slipway/sdk";

/** Files whose text goes into a margin box; left and right are swapped in right-to-left documents. */
export const marginFiles = [
  "header-left",
  "header",
  "header-right",
  "footer-left",
  "footer",
  "footer-right",
] as const;
export type MarginFile = (typeof marginFiles)[number];

/** Placeholders for page number and page count in a margin box; noncharacters that no text contains. */
export const pageMark = "\ufdd0";
export const pagesMark = "\ufdd1";

const boxes: Readonly<Record<MarginFile, { edge: "top" | "bottom"; side: "left" | "center" | "right" }>> = {
  "header-left": { edge: "top", side: "left" },
  header: { edge: "top", side: "center" },
  "header-right": { edge: "top", side: "right" },
  "footer-left": { edge: "bottom", side: "left" },
  footer: { edge: "bottom", side: "center" },
  "footer-right": { edge: "bottom", side: "right" },
};
const mirrored = { left: "right", center: "center", right: "left" } as const;

/** Empty for a template without page settings. */
export function pageRules(
  page: TemplatePage,
  texts: Readonly<Partial<Record<MarginFile, string>>>,
  direction: "ltr" | "rtl",
): string {
  const parts = [
    ...paper(page),
    ...marginFiles.flatMap((file) => marginBox(file, texts[file] ?? "", direction)),
  ];
  return parts.length === 0 ? "" : `@page {\n${parts.join("\n")}\n}\n`;
}

function paper({ size, orientation, margins }: TemplatePage): string[] {
  const name = typeof size === "object" ? `${size.width}mm ${size.height}mm` : size;
  const sheet = [name, orientation].filter((part) => part !== undefined);
  return [
    ...(sheet.length === 0 ? [] : [`size: ${sheet.join(" ")};`]),
    ...(margins === undefined
      ? []
      : [`margin: ${margins.top}mm ${margins.right}mm ${margins.bottom}mm ${margins.left}mm;`]),
  ];
}

function marginBox(file: MarginFile, text: string, direction: "ltr" | "rtl"): string[] {
  if (text === "") return [];
  const { edge, side } = boxes[file];
  const place = direction === "rtl" ? mirrored[side] : side;
  return [`@${edge}-${place} { content: ${boxContent(text)}; white-space: pre-line }`];
}

/** Texts and counters, such as `"Page " counter(page) " of " counter(pages)`. */
function boxContent(text: string): string {
  return text
    .split(new RegExp(`([${pageMark}${pagesMark}])`))
    .filter((part) => part !== "")
    .map((part) =>
      part === pageMark ? "counter(page)" : part === pagesMark ? "counter(pages)" : styleString(part),
    )
    .join(" ");
}

/**
 * A CSS string. Every character except letters, digits and some punctuation is escaped, so that the text cannot end the
 * string.
 */
function styleString(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{N}\p{M} .,:;|/()+@%&_-]/gu, (character) => {
    return `\\${(character.codePointAt(0) ?? 0xfffd).toString(16)} `;
  });
  return `"${escaped}"`;
}
