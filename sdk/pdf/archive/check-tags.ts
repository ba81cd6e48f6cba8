import { FontText } from "../accessibility/font-text.js";
import { standardTypes } from "../accessibility/standard-types.js";
import type { TaggedDocument } from "../accessibility/tagged-document.js";
import { quoted } from "../accessibility/tagged-document.js";
import type { ArchiveLevel } from "../pdf-claims.js";
import { dictionaryEntry, flagEntry, nameEntry, textEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

/** Level A: the structure, its types and its language, and what characters mean that Unicode does not define. */
export function* checkTags(document: TaggedDocument, level: ArchiveLevel): Generator<ArchiveFinding> {
  if (level !== "A") return;
  const { file, catalog, tree } = document;
  const information = dictionaryEntry(file, catalog, "MarkInfo");
  if (information === undefined || flagEntry(file, information, "Marked") !== true)
    yield { rule: "6.7.2", message: "The document is not marked as tagged: expected Marked in MarkInfo." };
  if (tree === undefined) yield { rule: "6.7.3", message: "The document has no structure." };
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(textEntry(file, catalog, "Lang") ?? ""))
    yield { rule: "6.7.4", message: 'The document has no language: expected one such as "de-CH" as Lang.' };
  const map = tree && dictionaryEntry(file, tree.root, "RoleMap");
  const unmapped = new Set<string>();
  for (const { written, type } of tree?.elements ?? []) if (!standardTypes.has(type)) unmapped.add(written);
  for (const type of unmapped)
    yield { rule: "6.7.3", message: `The type ${type} is no standard type and is mapped to none.` };
  for (const type of map?.entries.keys() ?? [])
    if (standardTypes.has(type) && map !== undefined && nameEntry(file, map, type) !== type)
      yield { rule: "6.7.3", message: `The standard type ${type} is mapped to another one.` };
  yield* privateCharacters(document);
}

const privateUse = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/u;

/** Such characters need an `ActualText`, which the host converts to a Unicode map; so the remaining ones lack it. */
function* privateCharacters({ file, pages }: TaggedDocument): Generator<ArchiveFinding> {
  const fonts = new Map<object, { text: FontText; hasPrivate: boolean }>();
  for (const { content, number } of pages)
    for (const { font, strings, what } of content.painted) {
      if (what !== "text" || font === undefined) continue;
      const known = fonts.get(font) ?? readFont(new FontText(file, font));
      fonts.set(font, known);
      const text = known.hasPrivate ? known.text.text(strings) : "";
      if (!privateUse.test(text)) continue;
      const message = `The text ${quoted(text)} has characters of private use, whose meaning nobody knows.`;
      yield { rule: "6.2.11.7.3", message, page: number };
    }
}

function readFont(text: FontText): { text: FontText; hasPrivate: boolean } {
  return { text, hasPrivate: privateUse.test(text.allCharacters()) };
}
