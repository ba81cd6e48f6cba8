/** Classifications of articles (OEX reference, section 8, `aClassSystem`). */
import type { ArticleItem } from "@slipway/sdk";
import type { OexArticle } from "../document/oex-document.js";
import type { FieldRepairs } from "../repair/field-repairs.js";

/** Predefined systems that have no version in their name. */
const withoutVersion = new Set(["UNSPSC", "ECO_FR"]);

/** The classes of an article, with names of systems such as "ECLASS-11.0". */
export function classifications(item: ArticleItem, repairs: FieldRepairs): OexArticle["classifications"] {
  return (item.classifications ?? []).flatMap(({ system: given, version, classId }) => {
    const value = repairs.line("classifications.classId", classId);
    const system = systemName(given, version);
    if (value === undefined) return [];
    if (system === "") {
      repairs.report("classifications.system", given, `left out with class "${value}": it names no system`);
      return [];
    }
    return [{ system, value }];
  });
}

/** Capitals, digits and signs: "eCl@ss" of version "11.0" is "ECLASS-11.0". */
function systemName(system: string, version: string | undefined): string {
  const name = printable(system).replace(/^ECL@SS/, "ECLASS");
  const suffix = printable(version ?? "");
  if (name === "" || suffix === "" || withoutVersion.has(name) || name.endsWith(`-${suffix}`)) return name;
  return `${name}-${suffix}`;
}

function printable(text: string): string {
  return text.toUpperCase().replace(/[^!-`{-~]/g, "");
}
