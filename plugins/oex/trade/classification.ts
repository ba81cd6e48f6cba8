/** Code lists of product classes (UNCL 7143), by the system without its version. */
const lists: ReadonlyMap<string, string> = new Map([["UNSPSC", "TST"]]);

/** Mutually defined: the version of the list names the system. */
const otherList = "ZZZ";

/** A class of a system such as "ECLASS-11.0", as a code of a list. */
export function classification({ system, value }: { system: string; value: string }) {
  const [name = "", ...version] = system.split("-");
  const listID = lists.get(name);
  if (listID === undefined) return { value, listID: otherList, listVersionID: system };
  return { value, listID, listVersionID: version.length === 0 ? undefined : version.join("-") };
}
