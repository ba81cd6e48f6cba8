/** Limits for the depth and size of external values. Nothing here is recursive: it protects recursive functions. */

/**
 * Maximum nesting of objects and arrays. Deeper than any real project (each folder takes two levels), and small enough
 * for recursive functions not to run out of stack.
 */
export const deepestNesting = 200;

/** Whether a value is nested deeper than `deepestNesting`. */
export function isTooDeep(value: unknown): boolean {
  return hasMember([value], (member, depth) => depth > deepestNesting && isContainer(member));
}

/** The same for a JSON text, by its brackets: parsing deep values takes far longer than this look. */
export function isJsonTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inText) {
      if (character === "\\") at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") {
      depth++;
      if (depth > deepestNesting) return true;
    } else if (character === "}" || character === "]") depth--;
  }
  return false;
}

/** Whether objects and arrays contain more than `count` values in total. */
export function isLarger(value: unknown, count: number): boolean {
  let left = count;
  return hasMember(value, () => --left < 0);
}

/** Whether an object or array contains null at any depth. */
export function hasNull(value: unknown): boolean {
  return hasMember(value, (member) => member === null);
}

/** Whether a value is an object or an array. */
export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/** Whether a test holds for any value inside objects and arrays; members of `value` itself have depth 1. */
function hasMember(value: unknown, test: (member: unknown, depth: number) => boolean): boolean {
  let level = isContainer(value) ? [value] : [];
  let depth = 1;
  let next: Container[] = [];
  const finds = (member: unknown): boolean => {
    if (isContainer(member)) next.push(member);
    return test(member, depth);
  };
  for (; level.length > 0; depth++) {
    next = [];
    // Loops, because `Object.values` copies: of large values the copies cost more than the tests.
    for (const container of level)
      if (isArray(container)) {
        for (const member of container) if (finds(member)) return true;
      } else {
        for (const name in container) if (finds(container[name])) return true;
      }
    level = next;
  }
  return false;
}

const isArray = (container: Container): container is readonly unknown[] => Array.isArray(container);
