import type { Check } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";

/**
 * The JSON text of what a handler returned. Throws an error for the plugin's log if JSON cannot represent the value, or
 * if it violates its schema; `what` is the route or method, `schema` the name of its schema.
 */
export function resultText(
  what: string,
  value: unknown,
  check: Check<unknown> | undefined,
  schema: "response" | "output",
): string | undefined {
  const text: string | undefined = stringified(what, value);
  if (text === undefined) return undefined;
  const lost = lostMember(value);
  if (lost !== undefined) throw notJson(what, lost);
  // Validated as the client will read it: dates as strings, without undefined members. Handlers may return
  // frozen values.
  const checked = check?.(JSON.parse(text));
  if (checked?.ok !== false) return text;
  throw new Error(`${what} broke its ${schema} schema: ${checked.violations.map(describe).join("; ")}`);
}

function stringified(what: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const lost = lostMember(value, new Set());
    throw lost === undefined ? error : notJson(what, lost);
  }
}

/** A member that JSON cannot represent, or would turn into an empty object. */
interface LostMember {
  /** Such as ".items[2].file"; empty for the result itself. */
  path: string;
  /** Name of its class or type. */
  kind: string;
}

function notJson(what: string, { path, kind }: LostMember): Error {
  const hint = kind === "Promise" ? "; is an `await` missing?" : "";
  return new Error(`${what} returned a ${kind} at result${path}, which JSON cannot represent${hint}`);
}

/** The first such member. `seen` is only needed for values with cycles. */
function lostMember(value: unknown, seen?: Set<object>): LostMember | undefined {
  if (typeof value === "bigint") return { path: "", kind: "bigint" };
  if (typeof value !== "object" || value === null || seen?.has(value)) return undefined;
  seen?.add(value);
  if (Array.isArray(value)) return firstLost(value.entries(), (index) => `[${index}]`, seen);
  const isBinary = ArrayBuffer.isView(value);
  if (!isBinary && "toJSON" in value && typeof value.toJSON === "function") return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (isBinary || (!isPlain && Object.keys(value).length === 0))
    return { path: "", kind: value.constructor?.name || "object" };
  return firstLost(Object.entries(value), (name) => `.${name}`, seen);
}

function firstLost<Key>(
  members: Iterable<[Key, unknown]>,
  step: (key: Key) => string,
  seen: Set<object> | undefined,
): LostMember | undefined {
  for (const [key, member] of members) {
    const lost = lostMember(member, seen);
    if (lost !== undefined) return { ...lost, path: `${step(key)}${lost.path}` };
  }
  return undefined;
}
