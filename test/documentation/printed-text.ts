/** Compares what commands print with what a page says that they print. */

/** What a busy machine tells besides: a wait of more than a second. */
const waitLine = /^.* is not live yet\. .*\n?/gm;

/** Stands for any lines between two others. */
const leftOut = "…";

/** What differs from run to run, from machine to machine, or with each change of a plugin. */
const passing: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>"],
  [/\b[0-9a-f]{64}\b/g, "<hash>"],
  [/\/files\/[\w-]{24}\//g, "/files/<file>/"],
  [/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?/g, "<time>"],
  [/\b\d\d:\d\d:\d\d\b/g, "<clock>"],
  [/\bprices-\d{4}-\d\d-\d\d\.csv/g, "prices-<day>.csv"],
  [/\b\d+(\.\d+)? ?(ms|s)\b/g, "<duration>"],
  [/\bduration_ms \d+(\.\d+)?/g, "duration_ms <duration>"],
  [/\b\d+ (bytes|KB)\b/g, "<size>"],
  [/\bMCowBQYDK2VwAyEA[\w+/]{43}=/g, "<public key>"],
  [/\bkey [0-9a-f]{8,}\b/g, "key <fingerprint>"],
  // Columns are as wide as what they hold.
  [/ {2,}/g, "  "],
  [/[ \t]+$/gm, ""],
];

/** Whether a text is what the page shows; "…" on a line of its own stands for what the page leaves out. */
export function isPrinted(shown: string, printed: string): boolean {
  const parts = comparable(shown)
    .split("\n")
    .map((line) => (line.trim() === leftOut ? "[^]*?" : `${escaped(line)}\n`));
  return new RegExp(`^${parts.join("")}$`).test(`${comparable(printed)}\n`);
}

/** The text with everything replaced that differs from run to run. */
function comparable(text: string): string {
  return passing.reduce((result, [from, to]) => result.replace(from, to), text.replace(waitLine, "").trim());
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
