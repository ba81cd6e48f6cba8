/** The header `Prefer` (RFC 7240). */

const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quotedString = /"(?:[^"\\]|\\.)*"/y;
const blanks = /[ \t]*/y;

/**
 * Names in lower case, with their values; empty without one. Of a name that comes twice, the first counts. Parameters have no
 * meaning here. What is not a preference is left out, up to the next comma.
 */
export function preferences(header: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [text = ""] = pattern.exec(header) ?? [];
    at += text.length;
    return text;
  };
  const takes = (character: string): boolean => {
    take(blanks);
    if (header[at] !== character) return false;
    at += 1;
    take(blanks);
    return true;
  };
  const word = (): string => take(token) || take(quotedString).slice(1, -1).replaceAll(/\\(.)/g, "$1");
  const pair = (): [name: string, value: string] => [take(token).toLowerCase(), takes("=") ? word() : ""];
  while (at < header.length) {
    take(blanks);
    const [name, value] = pair();
    while (takes(";")) pair();
    const isWhole = at === header.length || header[at] === ",";
    if (isWhole && name !== "" && !found.has(name)) found.set(name, value);
    const comma = header.indexOf(",", at);
    at = comma < 0 ? header.length : comma + 1;
  }
  return found;
}
