import { SaxesParser } from "saxes";

/** Programs write comments and declarations of entities before the root element, but not more than this. */
const longestBeginning = 64 * 1024;
const piece = 1024;

/** Whether a file is XML with the root element `svg`, in UTF-8 or UTF-16 (XML 1.0, appendix F.1). */
export function svgRoot(bytes: Buffer): boolean {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return false;
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, longestBeginning));
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

function encodingOf(bytes: Buffer): string | undefined {
  const beginning = bytes.toString("latin1", 0, 64);
  if (beginning.startsWith("\xff\xfe") || beginning.startsWith("<\0")) return "utf-16le";
  if (beginning.startsWith("\xfe\xff") || beginning.startsWith("\0<")) return "utf-16be";
  return beginning.replace("\xef\xbb\xbf", "").trimStart().startsWith("<") ? "utf-8" : undefined;
}
