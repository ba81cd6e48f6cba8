/** Times in SQL, in whole milliseconds, as clients get them. */

/** A time column as milliseconds since the epoch. */
export function milliseconds(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}

/** The time of the database's clock, plus the milliseconds of a parameter such as "$2". */
export function later(parameter = "0"): string {
  return `(date_trunc('milliseconds', now()) + ${parameter} * interval '1 millisecond')`;
}
