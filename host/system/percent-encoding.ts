/** The decoded text of a part of a URL; unchanged for an invalid encoding. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
