import type { CommAddress } from "@slipway/sdk";
import type { Communication } from "../document/frames.js";
import type { FieldRepairs } from "../repair/field-repairs.js";

/** OEX reference, sections 9.4 and 19. */
const types = { Phone: "TEL", Fax: "FAX", Mobile: "MOB", WWW: "WWW", EMail: "EMA" } as const;
const scopes = { Business: "B", Private: "P" } as const;

/** Phone numbers, mail addresses and so on of an address or contact: the first per type and scope. */
export function communications(
  given: readonly CommAddress[] | undefined,
  repairs: FieldRepairs,
): Communication[] {
  const found: Communication[] = [];
  for (const [index, { type, scope, value }] of (given ?? []).entries()) {
    const field = `commAddresses[${index}].value`;
    const line = repairs.line(field, value);
    if (line === undefined) continue;
    const entry = { type: types[type], scope: scopes[scope], value: line };
    if (found.some((other) => other.type === entry.type && other.scope === entry.scope)) {
      repairs.report(field, value, `left out: another ${type} with the scope ${scope} comes before it`);
    } else found.push(entry);
  }
  return found;
}
