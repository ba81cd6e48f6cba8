/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has this `kind` and the function `member`, like the results of `definePlugin` and `schedule`. */
export function isOfKind(value: unknown, kind: string, member: string): boolean {
  return isRecord(value) && value["kind"] === kind && typeof value[member] === "function";
}
