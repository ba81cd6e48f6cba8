/** Parameters of a further process or thread, which throws at deprecated parts of Node.js if this process does. */
export function deprecationParameters(): string[] {
  return process.throwDeprecation ? ["--throw-deprecation"] : [];
}
