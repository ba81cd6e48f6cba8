/** Times in SQL. Clients are told whole milliseconds, so stores keep no more. */

/** A time column as milliseconds since the epoch. */
export function milliseconds(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}

/** The time of the database's clock, or so many milliseconds later; `parameter` such as "$2". */
export function later(parameter = "0"): string {
  return `(date_trunc('milliseconds', now()) + ${parameter} * interval '1 millisecond')`;
}
