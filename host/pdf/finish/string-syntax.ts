/** Bytes of a PDF as text of one character per byte. */

const shortText = 24;

export function textBetween(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > shortText)
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** What stands between the brackets of a string, with its escapes and line ends resolved. */
export function unescaped(raw: string): string {
  return raw.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))|\r\n?/g, (_, octal?: string, character?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (character === undefined) return "\n";
    if (/^[\r\n]/.test(character)) return "";
    return escapes[character] ?? character;
  });
}
