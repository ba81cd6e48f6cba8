import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** "number": at the right. "main": the widest one, and the heading of the row where the page is narrow. */
  kind?: "number" | "main" | "action";
}

/** A table with headings; where the page is narrow each row is a card. */
export function Table<Row>(properties: {
  /** What it lists, for those who cannot see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  toneOf?(row: Row): string | undefined;
}) {
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
