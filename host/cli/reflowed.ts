import { displayWidth } from "../system/display-width.js";

/** Texts of help, whose paragraphs fill the width; lines that are set in stay as they are. */
export function reflowed(text: string, width: number): string {
  const lines: string[] = [];
  let words: string[] = [];
  const endParagraph = (): void => {
    lines.push(...wrapped(words, width));
    words = [];
  };
  for (const line of text.split("\n")) {
    if (line !== "" && !line.startsWith(" ")) words.push(...line.split(" "));
    else {
      endParagraph();
      lines.push(line);
    }
  }
  endParagraph();
  return lines.join("\n");
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
