/** Ends of tags by the tokenizer of HTML (WHATWG, "Tokenization"): a ">" within a quoted value does not end a tag. */

const blanks = /[\t\n\f\r ]*/y;
const betweenAttributes = /[\t\n\f\r /]*/y;
/** It may begin with "=". */
const attributeName = /[^\t\n\f\r />][^\t\n\f\r />=]*/y;
const bareValue = /[^\t\n\f\r >]*/y;

/** A tag. */
export interface Tag {
  /** Behind its ">". */
  end: number;
  /** The raw value of the wanted attribute; undefined without it. */
  value: string | undefined;
}

/** The start or end tag whose name ends at `at`; undefined where the text ends first. `wanted`: in lower case. */
export function readTag(html: string, at: number, wanted?: string): Tag | undefined {
  let value: string | undefined;
  let place = behind(betweenAttributes, html, at);
  while (place < html.length && html[place] !== ">") {
    const nameEnd = behind(attributeName, html, place);
    const isWanted =
      nameEnd - place === wanted?.length && html.slice(place, nameEnd).toLowerCase() === wanted;
    const equals = behind(blanks, html, nameEnd);
    let start = nameEnd;
    let end = nameEnd;
    place = nameEnd;
    if (html[equals] === "=") {
      start = behind(blanks, html, equals + 1);
      const quote = html[start];
      const isQuoted = quote === '"' || quote === "'";
      if (isQuoted) start += 1;
      end = isQuoted ? html.indexOf(quote, start) : behind(bareValue, html, start);
      if (end < 0) return undefined;
      place = isQuoted ? end + 1 : end;
    }
    // Of duplicate attributes, the first counts.
    if (isWanted) value ??= html.slice(start, end);
    place = behind(betweenAttributes, html, place);
  }
  return place < html.length ? { end: place + 1, value } : undefined;
}

function behind(pattern: RegExp, html: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(html);
  return Math.max(pattern.lastIndex, at);
}
