/** Discounts of the demo project, at their lines of the procedure STDB2B_WBK. */
import type { ConditionRecord } from "@slipway/sdk";
import { demoId, inBoth } from "./demo-texts.js";

const scheme = "STDB2B_WBK";

/** Ten percent on the chairs, an amount per acoustic panel, and three percent and a trade-in for the whole order. */
export const conditions: ConditionRecord[] = [
  {
    scheme,
    itemId: demoId("item/task-chair"),
    level: 210,
    counter: 0,
    amount: { kind: "percentage", value: "-10.0" },
  },
  {
    scheme,
    itemId: demoId("item/acoustic-panel"),
    level: 214,
    counter: 0,
    amount: { kind: "money", value: "-18.00", currency: "EUR" },
  },
  {
    scheme,
    level: 410,
    counter: 0,
    amount: { kind: "percentage", value: "-3.0" },
    label: inBoth("Project discount", "Projektrabatt"),
  },
  {
    scheme,
    level: 413,
    counter: 0,
    amount: { kind: "money", value: "-250.00", currency: "EUR" },
    label: inBoth("Trade-in of old furniture", "Rücknahme Altmöbel"),
  },
];
