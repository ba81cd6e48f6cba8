/** What each of the 27 flags of the export configuration changes, and that it changes nothing else. */
import t, { type Test } from "tap";
import { createOexChecker } from "./oex-checking-support.js";
import { type Exported, OexClient } from "./oex-client.js";
import { exportLines, type Lines, onlyIn, readingOrder } from "./oex-document-lines.js";
import { itemsOf, readXml } from "./oex-document-tree.js";
import { type FlagEffect, flagEffects } from "./oex-flag-effects.js";
import { baseConfiguration, flagProject, itemId, itemNames } from "./oex-project.js";
import { oexInMemory } from "./plugins-in-memory.js";
import type { Json } from "./reporter-client.js";

const host = await oexInMemory();
t.teardown(() => host.stop());
const client = new OexClient(host);
const checker = await createOexChecker();
t.teardown(() => checker.dispose());
const session = await client.open(flagProject(), "de_DE");
const names: ReadonlyMap<string, string> = new Map(itemNames.map((name) => [itemId(name), name]));
const defaults = (await client.config()).json;
const flags = Object.keys(defaults).filter((field) => typeof defaults[field] === "boolean");

/** Items of a document in the order of reading, by name. */
function order({ oex }: Exported): string[] {
  return oex === undefined ? [] : [...readingOrder(readXml(oex.bytes), names).values()];
}

async function exportOf(t: Test, documentType: string, config: Json): Promise<Exported> {
  const exported = await client.exported(session, { ...baseConfiguration, documentType, ...config });
  if (exported.oex === undefined) return exported;
  t.same(await checker.check(exported.oex.bytes), [], "the document is valid");
  const ids = itemsOf(readXml(exported.oex.bytes)).map((item) => item.attributes["aUUID"]);
  t.same(new Set(ids), new Set(Array.isArray(exported.json["items"]) ? exported.json["items"] : []));
  return exported;
}

/** The effect on a quotation, from that on an order. */
function quoted({ gone = [], come = [], quotes = {} }: FlagEffect): Required<Omit<FlagEffect, "quotes">> {
  const inQuotes = (lines: readonly string[]) =>
    lines
      .filter((line) => !line.includes("Pricing[P "))
      .map((line) => line.replaceAll("oex-orders", "oex-quotes").replace("vOrder", "vQuote"))
      .map((line) => line.replace("Bestellung als PDF", "Angebot als PDF"));
  return {
    gone: [...inQuotes(gone), ...(quotes.gone ?? [])],
    come: [...inQuotes(come), ...(quotes.come ?? [])],
  };
}

/** Without a document only the files can be compared. */
function comparable(lines: Lines, { oex }: Exported): Lines {
  const isOfFiles = /^(name|oex|obx|pdf|archive|url|obx \w+|archive holds|error .*)$/;
  return oex !== undefined ? lines : new Map([...lines].filter(([path]) => isOfFiles.test(path)));
}

t.test("every flag has an effect in the table", async (t) => {
  t.equal(flags.length, 27);
  t.same(Object.keys(flagEffects).sort(), [...flags].sort());
  const withoutEffect = flags.filter((flag) => {
    const { gone = [], come = [], quotes = {} } = flagEffects[flag] ?? {};
    return [...gone, ...come, ...(quotes.gone ?? [])].length === 0;
  });
  t.same(withoutEffect, []);
});

for (const documentType of ["ORDERS", "QUOTES"]) {
  await t.test(documentType, async (t) => {
    const base = await exportOf(t, documentType, {});
    const baseLines = await exportLines(base, names);
    const notOrdered = documentType === "ORDERS" ? ["stool", "lamp"] : [];
    t.same(
      order(base),
      itemNames.filter((name) => !notOrdered.includes(name)),
    );
    t.same(base.errors, [], "nothing in the project needs a repair");

    for (const flag of flags) {
      await t.test(flag, async (t) => {
        const changed = await exportOf(t, documentType, { [flag]: defaults[flag] !== true });
        const lines = await exportLines(changed, names);
        const effect = flagEffects[flag] ?? {};
        const expected = documentType === "ORDERS" ? effect : quoted(effect);
        const before = comparable(baseLines, changed);
        t.same(onlyIn(before, lines).sort(), [...(expected.gone ?? [])].sort(), "what is gone");
        t.same(onlyIn(lines, before).sort(), [...(expected.come ?? [])].sort(), "what has come");

        if (changed.oex !== undefined) {
          const left = new Set(order(changed));
          const expectedOrder = order(base).filter((name) => left.has(name));
          t.same([...left], expectedOrder, "the order of the items is the same");
        }
        if (base.obx !== undefined && !(expected.gone ?? []).some((line) => line.startsWith("obx ")))
          t.ok(changed.obx && Buffer.from(changed.obx.bytes).equals(base.obx.bytes), "the OBX is the same");
      });
    }
  });
}
