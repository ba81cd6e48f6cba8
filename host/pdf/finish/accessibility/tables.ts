import { isKind, isName, type PdfDictionary } from "@slipway/sdk/runtime/pdf";
import { attributeOf, type StructureElement, setAttribute } from "./structure-element.js";
import { kidsOf, setKids, type TaggedStructure } from "./tagged-structure.js";

/** Wider tables are not printed; what says so is damaged. */
const mostColumns = 500;
/** A table that lacks more cells than this is damaged too. */
const mostAdded = 50_000;

/** A cell that reaches into further rows. */
interface Reaching {
  cell: StructureElement;
  rows: number;
  left: number;
}

/** Chromium leaves out cells and rows that show nothing; without them the rest of a row is in the wrong columns. */
export function repairTables(structure: TaggedStructure): void {
  for (const element of structure.elements)
    if (element.type === "Table") new TableRepair(structure).repair(element);
}

class TableRepair {
  /** Columns of the heads of columns, by their identifiers. */
  private readonly heads = new Map<string, number>();
  private added = 0;
  private above: (Reaching | undefined)[] = [];

  constructor(private readonly structure: TaggedStructure) {}

  repair(table: StructureElement): void {
    const rows = rowsOf(table).map((row) => ({ row, width: this.layOut(row) }));
    const width = rows.reduce((widest, each) => Math.max(widest, each.width), 0);
    for (const each of rows) for (let column = each.width; column < width; column++) this.addCell(each.row);
  }

  /** Puts cells where they belong; gives the number of columns that are taken then. */
  private layOut(row: StructureElement): number {
    const taken = this.above.map(nextRow);
    let column = 0;
    for (const cell of cellsOf(row)) {
      const seen = cell.glimpse();
      const known = this.columnOf(seen) ?? -1;
      if (known >= column) this.cut(taken[known], taken);
      for (; column < known || taken[column] !== undefined; column++)
        if (taken[column] === undefined) this.addCell(row, cell);
      if (cell.type === "TH") this.noteHead(seen, column);
      const rows = this.span(seen, "RowSpan");
      for (let left = this.span(seen, "ColSpan"); left > 0; left--)
        taken[column++] = { cell, rows, left: rows };
    }
    while (taken.length > 0 && taken.at(-1) === undefined) taken.pop();
    for (; column < taken.length; column++) if (taken[column] === undefined) this.addCell(row);
    this.above = taken;
    return taken.length;
  }

  /** The column of a cell by its own heads. */
  private columnOf(cell: PdfDictionary): number | undefined {
    const { file } = this.structure;
    const heads = file.array(attributeOf(file, cell, "Headers")) ?? [];
    const columns = heads.flatMap((head) =>
      isKind(head, "string") ? (this.heads.get(head.bytes) ?? []) : [],
    );
    return columns.length === 0 ? undefined : Math.max(...columns);
  }

  private noteHead(cell: PdfDictionary, column: number): void {
    const identifier = cell.entries.get("ID");
    const scope = attributeOf(this.structure.file, cell, "Scope");
    if (isName(scope, "Column") && isKind(identifier, "string")) this.heads.set(identifier.bytes, column);
  }

  /** Shortens a cell that overlaps another one: it spans a row that was left out. */
  private cut(reaching: Reaching | undefined, taken: (Reaching | undefined)[]): void {
    if (reaching === undefined) return;
    setAttribute(this.structure.file, reaching.cell.dictionary, "RowSpan", reaching.rows - reaching.left);
    for (const [column, each] of taken.entries()) if (each?.cell === reaching.cell) taken[column] = undefined;
  }

  private span(cell: PdfDictionary, key: "RowSpan" | "ColSpan"): number {
    const value = attributeOf(this.structure.file, cell, key);
    return typeof value === "number" ? Math.min(Math.max(Math.floor(value), 1), mostColumns) : 1;
  }

  /** An empty cell, before another one or at the end. */
  private addCell(row: StructureElement, before?: StructureElement): void {
    if (this.added++ > mostAdded) return;
    const { structure } = this;
    const cell = structure.newElement("TD", row.reference, undefined);
    const kids = kidsOf(structure.file, row.dictionary);
    const place = before === undefined ? -1 : kids.findIndex((kid) => structure.element(kid) === before);
    setKids(row.dictionary, kids.toSpliced(place === -1 ? kids.length : place, 0, cell.reference));
  }
}

function nextRow(reaching: Reaching | undefined): Reaching | undefined {
  return reaching !== undefined && reaching.left > 1 ? { ...reaching, left: reaching.left - 1 } : undefined;
}

function rowsOf(parent: StructureElement): StructureElement[] {
  return parent.children.flatMap((child) => {
    if (child.type === "TR") return [child];
    return ["THead", "TBody", "TFoot", "NonStruct"].includes(child.type) ? rowsOf(child) : [];
  });
}

function cellsOf(row: StructureElement): StructureElement[] {
  return row.children.filter((child) => ["TH", "TD"].includes(child.type));
}
