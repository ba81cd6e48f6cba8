import type { DocumentPage, TaggedDocument } from "../accessibility/tagged-document.js";
import type { ContentOperand } from "../content/content-operands.js";
import { operandName } from "../content/content-operands.js";
import type { ArchiveFinding } from "./archive-finding.js";
import { deviceSpaces } from "./check-output-intents.js";
import { renderingIntents } from "./check-resources.js";

/** What the operators of pages and their forms choose. */
export function* checkContents({ file, catalog, pages }: TaggedDocument): Generator<ArchiveFinding> {
  const spaces = deviceSpaces(file, catalog);
  for (const page of pages)
    for (const finding of ofPage(page, spaces)) yield { ...finding, page: page.number };
}

function* ofPage({ content }: DocumentPage, spaces: Set<string>): Generator<ArchiveFinding> {
  for (const operator of content.unknownOperators)
    yield { rule: "6.2.2", message: `PDF has no operator ${JSON.stringify(operator.slice(0, 40))}.` };
  for (const intent of content.intents)
    if (!renderingIntents.has(intent))
      yield { rule: "6.2.6", message: `There is no rendering intent ${intent}.` };
  for (const space of content.colourSpaces)
    if (space.startsWith("Device") && !spaces.has(space))
      yield {
        rule: "6.2.4.3",
        message: `Colours of ${space} have no meaning without an output intent of it.`,
      };
  for (const entries of content.inlinePictures) yield* ofInlinePicture(entries, spaces);
}

/** Names within the content are abbreviated (ISO 32000-1, 8.9.7). */
const inlineSpaces: Record<string, string> = { G: "DeviceGray", RGB: "DeviceRGB", CMYK: "DeviceCMYK" };

function* ofInlinePicture(entries: ContentOperand[], spaces: Set<string>): Generator<ArchiveFinding> {
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const key = operandName(entries[index]);
    const value = entries[index + 1];
    if ((key === "I" || key === "Interpolate") && value === true)
      yield { rule: "6.2.8", message: "A picture within the content is interpolated." };
    const names = (Array.isArray(value) ? value : [value]).map(operandName);
    if ((key === "F" || key === "Filter") && names.some((name) => name === "LZW" || name === "LZWDecode"))
      yield { rule: "6.1.10", message: "A picture within the content has the filter LZW." };
    const space = inlineSpaces[names[0] ?? ""] ?? names[0] ?? "";
    if ((key === "CS" || key === "ColorSpace") && space.startsWith("Device") && !spaces.has(space))
      yield {
        rule: "6.2.4.3",
        message: `A picture has colours of ${space}, without an output intent of it.`,
      };
  }
}
