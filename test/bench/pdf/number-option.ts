/** The number of an option such as "--rounds=5". */
export function numberOption(options: readonly string[], name: string, fallback: number): number {
  const value = options.find((option) => option.startsWith(`--${name}=`))?.split("=")[1];
  return value === undefined ? fallback : Number(value);
}
