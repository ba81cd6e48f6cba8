/** Lines that a plugin prints say which request they were printed for; both sides read it here. */

/** Control characters that separate records and units; the number of the request is between them. */
const begin = "\u001e";
const end = "\u001f";
const marked = new RegExp(`^${begin}(\\d{1,15})${end}`);

/** Every line of a text, marked with the request that it was printed for. */
export function markPrinted(text: string, request: number): string {
  return text.replace(/^.*\S/gm, `${begin}${request}${end}$&`);
}

/** The line as it was printed, and the number of its request in the instance; undefined for what is printed beside requests. */
export function requestOfPrinted(line: string): { request: number | undefined; text: string } {
  const request = marked.exec(line)?.[1];
  if (request === undefined) return { request: undefined, text: line };
  return { request: Number(request), text: line.replace(marked, "") };
}
