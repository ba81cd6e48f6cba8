/** What a newer answer may not do to an older one. */

/**
 * Where an answer differs from what was recorded, one line for each place; empty where it is compatible. Objects may have
 * more members than before, a text further languages, a `message` other words, and an archive more or fewer bytes: that is
 * what a minor version may change.
 */
export function differences(recorded: unknown, received: unknown, path: string): string[] {
  if (Array.isArray(recorded)) {
    if (isText(recorded) && isText(received)) return missingLanguages(recorded, received, path);
    if (!Array.isArray(received) || received.length !== recorded.length)
      return [different(path, recorded, received)];
    return recorded.flatMap((each, at) => differences(each, received[at], `${path}[${at}]`));
  }
  if (isObject(recorded)) {
    if (!isObject(received)) return [different(path, recorded, received)];
    return Object.entries(recorded).flatMap(([name, value]) =>
      mayDiffer(name, recorded) && typeof received[name] === typeof value
        ? []
        : differences(value, received[name], `${path}.${name}`),
    );
  }
  return recorded === received ? [] : [different(path, recorded, received)];
}

/** A text in several languages. */
function isText(value: unknown): value is { lang: unknown }[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each) && "lang" in each);
}

function missingLanguages(
  recorded: readonly { lang: unknown }[],
  received: readonly { lang: unknown }[],
  path: string,
): string[] {
  return recorded.flatMap((each) => {
    const found = received.find(({ lang }) => lang === each.lang);
    return differences(each, found, `${path}[${String(each.lang)}]`);
  });
}

function mayDiffer(member: string, { name }: Record<string, unknown>): boolean {
  return member === "message" || (member === "bytes" && typeof name === "string" && name.endsWith(".zip"));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function different(path: string, recorded: unknown, received: unknown): string {
  return `${path}: was ${shown(recorded)}, is ${shown(received)}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}
