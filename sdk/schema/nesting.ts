/** Limits for the depth and size of external values. Functions that protect recursive ones call themselves no deeper than the limit. */

/**
 * Maximum nesting of objects and arrays. Deeper than any real project (each folder takes two levels), and small enough
 * for recursive functions not to run out of stack.
 */
export const deepestNesting = 200;

/** Whether a value is nested deeper than `deepestNesting`. */
export function isTooDeep(value: unknown): boolean {
  return isContainer(value) && isDeeper(value, deepestNesting);
}

/** Whether a container is nested deeper than so many levels. */
function isDeeper(container: Container, levels: number): boolean {
  if (levels === 0) return true;
  // Loops, because `Object.values` copies, and no calls for the members: projects have millions of them.
  if (isArray(container)) {
    for (const member of container) if (isContainer(member) && isDeeper(member, levels - 1)) return true;
  } else {
    for (const name in container) {
      const member = container[name];
      if (isContainer(member) && isDeeper(member, levels - 1)) return true;
    }
  }
  return false;
}

/** The same for a JSON text, by its brackets, which is much faster than parsing a deep value. */
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

/** Whether a test is true for any value inside objects and arrays, at any depth. */
function hasMember(value: unknown, test: (member: unknown) => boolean): boolean {
  const pending = isContainer(value) ? [value] : [];
  for (let container = pending.pop(); container !== undefined; container = pending.pop())
    for (const member of isArray(container) ? container : Object.values(container)) {
      if (isContainer(member)) pending.push(member);
      if (test(member)) return true;
    }
  return false;
}

const isArray = (container: Container): container is readonly unknown[] => Array.isArray(container);
