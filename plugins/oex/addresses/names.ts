/** Names of an address, in up to four fields (OEX reference, section 19). */
import type { FieldRepairs } from "../repair/field-repairs.js";
import { splitAtBlanks } from "../repair/value-repairs.js";

const longestName = 35;
const fields = ["name1", "name2", "name3", "name4"] as const;

type Names = { [field in (typeof fields)[number]]?: string };

/**
 * The names in order, each of at most 35 characters; empty where there is none. A longer one goes on in a free field,
 * right behind it, and is cut where none is free. Fields that are empty are no gaps.
 */
export function addressNames(address: Names, repairs: FieldRepairs): string[] {
  const given = fields.flatMap((field) => {
    const name = repairs.line(field, address[field]);
    return name === undefined ? [] : [{ field, name }];
  });
  const [first] = given;
  if (first !== undefined && first.field !== "name1") {
    repairs.report(first.field, first.name, "moved up, because name1 has no value");
  }
  let free = fields.length - given.length;
  return given.flatMap(({ field, name }) => {
    const { parts, rest } = splitAtBlanks(name, longestName, 1 + free);
    free -= parts.length - 1;
    if (parts.length > 1 || rest !== "") repairs.report(field, name, splitting(parts.length, rest !== ""));
    return parts;
  });
}

function splitting(parts: number, isCut: boolean): string {
  if (parts === 1) return `cut to ${longestName} characters, because no other name field is free`;
  const split = `split into ${parts} name fields of ${longestName} characters`;
  return isCut ? `${split}, and cut` : split;
}
