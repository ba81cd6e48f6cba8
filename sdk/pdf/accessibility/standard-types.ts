/** Standard structure types of PDF 1.7 (ISO 32000-1, 14.8.4) and their nesting rules. */

const grouping = [
  ...[
    "Document",
    "Part",
    "Art",
    "Sect",
    "Div",
    "BlockQuote",
    "Caption",
    "TOC",
    "TOCI",
    "Index",
    "NonStruct",
    "Private",
  ],
];
const block = [
  ...["P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody"],
  ...["Table", "TR", "TH", "TD", "THead", "TBody", "TFoot"],
];
const inline = [
  ...["Span", "Quote", "Note", "Reference", "BibEntry", "Code", "Link", "Annot"],
  ...["Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP"],
];
const illustration = ["Figure", "Formula", "Form"];

export const standardTypes: ReadonlySet<string> = new Set([
  ...grouping,
  ...block,
  ...inline,
  ...illustration,
]);

export interface Nesting {
  rule: string;
  /**
   * Allowed types of children, and whether the element may contain content directly; absent: no restriction.
   */
  children?: ReadonlySet<string>;
  content?: false;
  /** Allowed types of the parent. */
  parents?: ReadonlySet<string>;
}

/** Tables 333, 336, 337 and 338 of ISO 32000-1. */
export const nestings: ReadonlyMap<string, Nesting> = new Map([
  ["Table", container("09-004", ["TR", "THead", "TBody", "TFoot", "Caption"])],
  ["THead", container("09-004", ["TR"], ["Table"])],
  ["TBody", container("09-004", ["TR"], ["Table"])],
  ["TFoot", container("09-004", ["TR"], ["Table"])],
  ["TR", container("09-004", ["TH", "TD"], ["Table", "THead", "TBody", "TFoot"])],
  ["TH", part("09-004", ["TR"])],
  ["TD", part("09-004", ["TR"])],
  ["L", container("09-005", ["L", "LI", "Caption"])],
  ["LI", container("09-005", ["Lbl", "LBody"], ["L"])],
  ["LBody", part("09-005", ["LI"])],
  ["TOC", container("09-006", ["TOC", "TOCI", "Caption"])],
  ["TOCI", container("09-006", ["Lbl", "Reference", "NonStruct", "P", "TOC"], ["TOC"])],
  ["Ruby", container("09-007", ["RB", "RT", "RP"])],
  ["RB", part("09-007", ["Ruby"])],
  ["RT", part("09-007", ["Ruby"])],
  ["RP", part("09-007", ["Ruby"])],
  ["Warichu", container("09-008", ["WT", "WP"])],
  ["WT", part("09-008", ["Warichu"])],
  ["WP", part("09-008", ["Warichu"])],
]);

function container(rule: string, children: string[], parents?: string[]): Nesting {
  const nesting: Nesting = { rule, children: new Set(children), content: false };
  return parents === undefined ? nesting : { ...nesting, parents: new Set(parents) };
}

function part(rule: string, parents: string[]): Nesting {
  return { rule, parents: new Set(parents) };
}

/** 1 to 6 for headings with a level, 0 for all other types. */
export function headingLevel(type: string): number {
  return Number(/^H([1-6])$/.exec(type)?.[1] ?? 0);
}
