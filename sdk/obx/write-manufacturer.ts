/** Elements `manufacturer` and `series` of a position. */
import { ownMember } from "../own-member.js";
import type { PositionItem, Text } from "../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { WriteContext } from "./write-context.js";
import { writeTextGroup } from "./write-texts.js";

/** Names once per id; a user article has names of its own. */
export function writeManufacturer(writer: XmlWriter, item: PositionItem, context: WriteContext): void {
  const { manufacturerId, seriesId } = item;
  const { names, series } = item.type === "userArticle" ? ownNames(item) : knownNames(item, context);
  if (manufacturerId !== undefined || names.length > 0) {
    writeTextGroup(writer, { element: "manufacturer", attributes: { id: manufacturerId } }, "name", names);
  }
  if (seriesId !== undefined || series.length > 0) {
    writeTextGroup(writer, { element: "series", attributes: { id: seriesId } }, "name", series);
  }
}

interface Names {
  names: readonly Text[];
  series: readonly Text[];
}

function ownNames(item: Extract<PositionItem, { type: "userArticle" }>): Names {
  return { names: inNoLanguage(item.manufacturerName), series: inNoLanguage(item.seriesName) };
}

/** What the project says of the ids, where it was not written before. */
function knownNames({ manufacturerId, seriesId }: PositionItem, context: WriteContext): Names {
  const known = ownMember(context.project.manufacturers, manufacturerId ?? "");
  const once = (key: string, texts: Text[] | undefined): Text[] => {
    if (context.named.has(key)) return [];
    context.named.add(key);
    return texts ?? [];
  };
  return {
    names: manufacturerId === undefined ? [] : once(manufacturerId, known?.name),
    series:
      seriesId === undefined ? [] : once(`${manufacturerId} ${seriesId}`, ownMember(known?.series, seriesId)),
  };
}

function inNoLanguage(text: string | undefined): Text[] {
  return text === undefined ? [] : [{ lang: "und", value: text }];
}
