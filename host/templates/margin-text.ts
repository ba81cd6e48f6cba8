/** The text of a rendered header or footer: a margin box of a page holds text only. */

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "\u00a9",
  middot: "\u00b7",
  ndash: "\u2013",
  mdash: "\u2014",
  bull: "\u2022",
};

/**
 * Drops tags, comments and styles; turns `<br>` and the end of a block into a line end; trims empty lines at both ends.
 */
export function marginText(html: string): string {
  const text = html
    .replace(/<!--.*?(?:-->|$)|<style\b.*?(?:<\/style\s*>|$)|<script\b.*?(?:<\/script\s*>|$)/gis, "")
    .replace(/\r\n?/g, "\n")
    .replace(/<br\s*\/?>\n?|<\/(?:p|div|li|tr|h[1-6])\s*>\n?/gi, "\n")
    // Text without a closing ">" is matched once as a whole, not at each "<".
    .replace(/<[^>]*(>|$)/g, (tag, end) => (end === ">" ? "" : tag));
  const lines = withoutEntities(text)
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
  return /[^\n](?:.*[^\n])?/s.exec(lines)?.[0] ?? "";
}

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (entity, decimal, hexadecimal, name) => {
      if (typeof name === "string") return Object.hasOwn(named, name) ? (named[name] ?? entity) : entity;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
