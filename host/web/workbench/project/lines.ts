import type { ReportData } from "@slipway/sdk";

type Item = ReportData["items"][number];
export type ArticleItem = Extract<Item, { kind: "article" }>;

/** A line of the project with its place in the tree. */
export interface Line {
  item: Item;
  /** Depth in the tree, 0 at the top. */
  depth: number;
  /** Index of the first line that is not below this one. */
  end: number;
  /** Position among its siblings, from 1, and their number. */
  place: number;
  siblings: number;
}

/** All lines of a tree, in their order. */
export function linesOf(items: readonly Item[]): Line[] {
  const lines: Line[] = [];
  const add = (siblings: readonly Item[], depth: number): void => {
    for (const [index, item] of siblings.entries()) {
      const line = { item, depth, end: 0, place: index + 1, siblings: siblings.length };
      lines.push(line);
      if (item.kind !== "text") add(item.children, depth + 1);
      line.end = lines.length;
    }
  };
  add(items, 0);
  return lines;
}

/** The title of a line. */
export function nameOf(item: Item): string {
  if (item.kind === "folder") return item.name;
  if (item.kind === "text") return item.text || item.longText;
  return item.shortText || item.articleNumber;
}

/** Whether a line has children. */
export function hasChildren(line: Line, index: number): boolean {
  return line.end > index + 1;
}

/** Indexes of the visible lines when the lines with these ids are collapsed. */
export function unfolded(lines: readonly Line[], folded: ReadonlySet<string>): number[] {
  const shown: number[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    shown.push(index);
    index = folded.has(line.item.id) ? line.end : index + 1;
  }
  return shown;
}

/** Indexes of the lines that contain a text, with their ancestors; and the number of matches. */
export function linesWith(lines: readonly Line[], searchText: string): { shown: number[]; found: number } {
  const wanted = searchText.toLowerCase();
  const shown: number[] = [];
  let found = 0;
  const above: { index: number; end: number; isShown: boolean }[] = [];
  for (const [index, line] of lines.entries()) {
    while ((above.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= index) above.pop();
    const isFound = textsOf(line.item).some((text) => text.toLowerCase().includes(wanted));
    if (isFound) {
      found += 1;
      for (const each of above) {
        if (!each.isShown) shown.push(each.index);
        each.isShown = true;
      }
      shown.push(index);
    }
    if (hasChildren(line, index)) above.push({ index, end: line.end, isShown: isFound });
  }
  return { shown, found };
}

function textsOf(item: Item): string[] {
  if (item.kind !== "article") return [item.position, nameOf(item)];
  return [
    item.position,
    item.shortText,
    item.articleNumber,
    item.baseArticleNumber,
    item.manufacturerName,
    item.seriesName,
  ];
}
