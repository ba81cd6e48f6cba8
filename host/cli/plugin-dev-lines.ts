/** What happens to a plugin that somebody is writing, in lines for people. */
import type { DevelopmentLine } from "../api/development/development-line.js";
import type { SourcePlace } from "../api/development/source-place.js";
import { coloured, localTime, printable, printableLines } from "../system/terminal-text.js";

const marks = { debug: "debug", info: "", warn: "WARN", error: "ERROR" } as const;

/**
 * A line with its time; below it the source line of an error and its stack. `before`: the line that is shown above it; what stands
 * there is not said again.
 */
export function shownLine(line: DevelopmentLine, before: DevelopmentLine | undefined): string {
  const clock = coloured("gray", localTime(line.time).slice(-8));
  const isSaid = samePlace(line.place, before?.place);
  return [
    `${clock} ${headOf(line)}`,
    ...(line.place === undefined || isSaid ? [] : shownPlace(line.place)),
    ...stackOf(line),
  ].join("\n");
}

function samePlace(one: SourcePlace | undefined, other: SourcePlace | undefined): boolean {
  return one?.file === other?.file && one?.line === other?.line && one?.column === other?.column;
}

function headOf({ kind, level, text, fields }: DevelopmentLine): string {
  const shown = [printable(text), ...Object.entries(fields).map(fact)].join(" ");
  if (kind === "request") return coloured("gray", shown);
  if (kind === "reload" && level === "info") return coloured("green", shown);
  if (level === "info") return shown;
  const colour = level === "error" ? "red" : level === "warn" ? "yellow" : "gray";
  return coloured(colour, kind === "reload" ? shown : `${marks[level]} ${shown}`);
}

function fact([name, value]: [string, unknown]): string {
  return printable(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
}

/** Where editors and terminals find it, with the line and a mark below its column. */
function shownPlace({ file, line, column, excerpt }: SourcePlace): string[] {
  const place = `    ${coloured("bold", printable(`${file}:${line}:${column}`))}`;
  if (excerpt === undefined) return [place];
  const number = `    ${line} | `;
  const text = excerpt.replaceAll("\t", " ");
  return [
    place,
    `${number}${printableLines(text)}`,
    `${" ".repeat(number.length + column - 1)}${coloured("red", "^")}`,
  ];
}

function stackOf({ stack }: DevelopmentLine): string[] {
  if (stack === undefined) return [];
  return printableLines(stack)
    .split("\n")
    .map((line) => coloured("gray", `    ${line}`));
}
