/**
 * 500 generated projects as Order-X COMFORT and EXTENDED and as Peppol orders: the published schemas and rules find nothing, nor
 * do the plugin's own rules, and the totals are those of the OEX document to the cent.
 */
import fc from "fast-check";
import t from "tap";
import { checkCases } from "../plugins/order-checks.js";
import { orderCases } from "../plugins/order-projects.js";
import { type OrderKind, orderSchema, withoutSchemas } from "../plugins/order-schemas.js";
import { oexInMemory } from "../plugins/plugins-in-memory.js";

const count = 500;

t.test("generated orders", { skip: withoutSchemas, timeout: 600_000 }, async (t) => {
  const kinds: OrderKind[] = ["COMFORT", "EXTENDED", "UBL"];
  const schemas = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await orderSchema(kind)] as const)),
  );
  const host = await oexInMemory({ config: { validate: true }, alone: true });
  t.teardown(() => {
    for (const schema of schemas.values()) schema.dispose();
  });
  const cases = fc.sample(orderCases, { numRuns: count, seed: 20_261_124 });
  const { made, changes, mistakes } = await checkCases(host, cases, schemas);
  t.comment(Object.fromEntries(made), changes);
  t.same(mistakes, []);
  for (const kind of kinds) t.ok((made.get(kind) ?? 0) > count / 10, `enough of ${kind}`);
  t.ok(changes > count / 4, "enough discounts of whole orders");
});
