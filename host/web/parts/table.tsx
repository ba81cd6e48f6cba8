import type { ComponentChildren } from "preact";
import { Panel } from "./panel.js";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** "number": right-aligned. "main": the widest column, and the heading of a card on a narrow page. */
  kind?: "number" | "main" | "action";
}

interface TableProperties<Row> {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  toneOf?(row: Row): string | undefined;
}

/** A panel with a table. */
export function TablePanel<Row>(
  properties: TableProperties<Row> & {
    title: string;
    /** Replaces a table without rows. */
    empty?: ComponentChildren;
  },
) {
  const { title, empty, ...table } = properties;
  return (
    <Panel title={title} isFlush>
      {table.rows.length === 0 && empty !== undefined ? empty : <Table {...table} />}
    </Panel>
  );
}

/** A table with headings; on a narrow page, each row is a card. */
export function Table<Row>(properties: TableProperties<Row>) {
  const { caption, columns, rows, keyOf, toneOf } = properties;
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, kind }) => (
            <th key={title} scope="col" data-kind={kind}>
              {kind === "action" ? <span class="unseen">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-tone={toneOf?.(row)}>
            {columns.map(({ title, kind, cell }) => (
              <td key={title} data-kind={kind} data-title={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
