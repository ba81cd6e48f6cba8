import type { TaggedDocument } from "../accessibility/tagged-document.js";
import { fileSpecifications } from "../embedded-files.js";
import { dictionaryEntry, entry, listEntry, nameEntry, textEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

const rule = "6.8";

/** Embedded files: names, media type, relationship, and their association with the document. */
export function* checkEmbeddedFiles({
  file,
  catalog,
  pages,
  tree,
}: TaggedDocument): Generator<ArchiveFinding> {
  const specifications = fileSpecifications(file);
  if (specifications.length === 0 && !catalog.entries.has("AF")) return;
  const owners = [
    catalog,
    ...pages.map(({ dictionary }) => dictionary),
    ...(tree?.elements ?? []).map(({ dictionary }) => dictionary),
  ];
  const associated = new Set(
    owners.flatMap((owner) =>
      owner.entries.has("AF") ? listEntry(file, owner, "AF").map((each) => file.dictionary(each)) : [],
    ),
  );
  if (catalog.entries.has("AF") && !isListOfSpecifications(catalog, file))
    yield { rule, message: "AF of the catalog has to be a list of file specifications." };
  for (const { name, specification } of specifications) {
    const shown = JSON.stringify(name);
    const data = dictionaryEntry(file, specification, "EF");
    const stream = data && (dictionaryEntry(file, data, "F") ?? dictionaryEntry(file, data, "UF"));
    if (stream === undefined) {
      yield { rule, message: `The file ${shown} has no content: expected EF with F.` };
      continue;
    }
    const mediaType = nameEntry(file, stream, "Subtype");
    if (mediaType === undefined || !/^[-\w+.]+\/[-\w+.]+$/.test(mediaType))
      yield {
        rule,
        message: `The file ${shown} has no media type: expected one such as text/xml as Subtype.`,
      };
    for (const key of ["F", "UF"])
      if (textEntry(file, specification, key) === undefined)
        yield { rule, message: `The file ${shown} has no name in ${key}: expected one in F and UF.` };
    if (nameEntry(file, specification, "AFRelationship") === undefined)
      yield { rule, message: `The file ${shown} does not say what it is to the document (AFRelationship).` };
    if (!associated.has(specification))
      yield { rule, message: `The file ${shown} is not in AF of the document or of a part of it.` };
    const parameters = dictionaryEntry(file, stream, "Params");
    if (parameters === undefined || entry(file, parameters, "ModDate") === undefined)
      yield { rule, message: `The file ${shown} does not say when it was changed (ModDate of Params).` };
  }
}

function isListOfSpecifications(catalog: TaggedDocument["catalog"], file: TaggedDocument["file"]): boolean {
  return (file.array(catalog.entries.get("AF")) ?? []).every((each) => {
    const specification = file.dictionary(each);
    return specification?.entries.has("EF") === true;
  });
}
