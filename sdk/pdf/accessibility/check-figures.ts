import type { PdfFile } from "../pdf-file.js";
import { textEntry } from "../pdf-values.js";
import type { MarkedReference, StructureElement } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  type DocumentPage,
  finding,
  grouped,
  type TaggedDocument,
} from "./tagged-document.js";

/** Figures and formulas have alternative texts, and notes have distinct ids. */
export function* checkFigures({ file, tree, pages }: TaggedDocument): Generator<AccessibilityFinding> {
  const elements = tree?.elements ?? [];
  const advice = 'give <img> an alt (empty for decoration) or <svg role="img"> an aria-label.';
  for (const element of elements) {
    if (element.type === "Figure" && !hasText(file, element))
      yield finding("13-004", `A picture has no text: ${advice}`, element);
    if (element.type === "Formula" && !hasText(file, element))
      yield finding("17-002", "A formula has no text that stands for it.", element);
  }
  yield* notes(file, elements);
  yield* strayPictures(file, pages, tree?.contents ?? []);
}

function hasText(file: PdfFile, element: StructureElement): boolean {
  const own = textEntry(file, element.dictionary, "Alt") ?? textEntry(file, element.dictionary, "ActualText");
  return own !== undefined && own.trim() !== "";
}

function* notes(file: PdfFile, elements: StructureElement[]): Generator<AccessibilityFinding> {
  const seen = new Set<string>();
  for (const element of elements.filter(({ type }) => type === "Note")) {
    const identifier = textEntry(file, element.dictionary, "ID") ?? "";
    if (identifier === "") yield finding("19-003", "A note has no identifier.", element);
    else if (seen.has(identifier)) yield finding("19-004", "Two notes have the same identifier.", element);
    seen.add(identifier);
  }
}

/** Types whose pictures have an alternative text or are list bullets. */
const pictured = new Set(["Figure", "Formula", "Form", "Lbl"]);

function strayPictures(
  file: PdfFile,
  pages: DocumentPage[],
  contents: MarkedReference[],
): AccessibilityFinding[] {
  const references = grouped(contents, ({ page, identifier }) => `${page} ${identifier}`);
  const message =
    "A picture is part of a text: show it with <img> and an alt, or as a background without text.";
  return pages.flatMap(({ content, number }) => {
    const isStray = content.painted.some(({ what, place }) => {
      if (what !== "picture" || typeof place !== "object") return false;
      const { identifier, stream } = place;
      const owner = references.get(`${number} ${identifier}`)?.find((each) => each.stream === stream);
      return owner !== undefined && !isPictured(file, owner.parent);
    });
    return isStray ? [{ rule: "13-001", message, page: number }] : [];
  });
}

function isPictured(file: PdfFile, element: StructureElement): boolean {
  if (pictured.has(element.type) || hasText(file, element)) return true;
  return element.parent !== undefined && isPictured(file, element.parent);
}
