/** The code that Node.js gives an error, such as "ENOENT" or "Z_DATA_ERROR"; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
