import { SaxesParser } from "saxes";

/** Programs write comments and declarations of entities before the root element, but not more than this. */
const longestBeginning = 64 * 1024;
const piece = 1024;

/** Whether a file is XML in UTF-8 with the root element `svg`. */
export function svgRoot(bytes: Buffer): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, longestBeginning)).trimStart();
  if (!text.startsWith("<")) return false;
  const parser = new SaxesParser();
  let root: string | undefined;
  parser.on("opentagstart", ({ name }) => {
    root ??= name;
  });
  parser.on("error", (error) => {
    throw error;
  });
  try {
    for (let start = 0; start < text.length && root === undefined; start += piece)
      parser.write(text.slice(start, start + piece));
  } catch {
    // What comes after the root is not looked at here.
  }
  return root !== undefined && (root === "svg" || root.endsWith(":svg"));
}
