/** Paths in the data of a report, in the notation of templates. */
export interface DataPlace {
  /** Such as `d.data.items[0].unitPrice`. */
  path: string;
  value: unknown;
}

/** The root of the data. */
export const dataRoot = "d.data";

/** The path of a member of a value. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    ? `${path}.${key}`
    : `${path}[${JSON.stringify(key)}]`;
}

/** The members of a list or an object; empty for other values. */
export function membersOf(value: unknown): [key: string | number, member: unknown][] {
  if (Array.isArray(value))
    return value.map((element: unknown, index): [number, unknown] => [index, element]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The paths whose name or text contains a search text, ignoring case, in the order of the data. */
export function placesWith(searchText: string, data: unknown, most: number): DataPlace[] {
  const wanted = searchText.toLowerCase();
  const found: DataPlace[] = [];
  const look = (value: unknown, path: string): void => {
    for (const [key, member] of membersOf(value)) {
      if (found.length >= most) return;
      const place = { path: memberPath(path, key), value: member };
      const isNamed = typeof key === "string" && key.toLowerCase().includes(wanted);
      const isText = typeof member !== "object" && String(member).toLowerCase().includes(wanted);
      if (isNamed || isText || place.path.toLowerCase() === wanted) found.push(place);
      look(member, place.path);
    }
  };
  look(data, dataRoot);
  return found;
}
