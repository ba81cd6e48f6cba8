/** Node.js options for a child process or thread: it throws on deprecations if this process does. */
export function deprecationParameters(): string[] {
  return process.throwDeprecation ? ["--throw-deprecation"] : [];
}
