/** Calculation sheets and the procedures that define their lines. */
import {
  chooseText,
  groupSheet,
  isPosition,
  labelLanguages,
  netPrice,
  type PricingProcedure,
  type ProjectDocument,
  type ProjectPrices,
  present,
  projectPrices,
  type Sheet,
  type Static,
  Type,
  walkItems,
} from "@slipway/sdk";
import { attribute } from "../soap/soap.js";
import type { BasketNode } from "./basket-tree.js";
import type { PriceInfo } from "./item-properties.js";
import { closed, type SessionCall } from "./soap-operation.js";
import { WireAmount, WireMoney, WireQuantity, wireAmount, wireQuantity } from "./wire-values.js";

/** A procedure evaluated for an item, a group of items, or the project. */
export const CalculationSheet = Type.Object(
  {
    quantity: Type.Optional(WireQuantity),
    netValue: Type.Optional(WireMoney),
    tax: Type.Optional(WireMoney),
    lines: Type.Array(
      Type.Object(
        {
          inactive: Type.Optional(Type.Array(Type.Enum(["NoData", "SubsequentPrice"]))),
          description: Type.String(),
          amount: Type.Optional(WireAmount),
          qtyRelation: Type.Optional(WireQuantity),
          value: Type.Optional(WireMoney),
          level: Type.Integer(attribute),
          counter: Type.Integer(attribute),
          conditionType: Type.Optional(Type.String(attribute)),
          conditionRemovable: Type.Boolean(attribute),
          amountEditable: Type.Boolean(attribute),
          amountEdited: Type.Boolean(attribute),
          qtyRelationEditable: Type.Boolean(attribute),
          valueEditable: Type.Boolean(attribute),
        },
        closed,
      ),
    ),
    currency: Type.String(attribute),
  },
  closed,
);
export type CalculationSheet = Static<typeof CalculationSheet>;

/** The sheet of one item; the id of the project's is empty. */
export const ItemCalculationSheet = Type.Object(
  { id: Type.String(attribute), sheet: CalculationSheet },
  closed,
);

/** Nothing of a sheet can be changed here. */
const readOnly = {
  conditionRemovable: false,
  amountEditable: false,
  qtyRelationEditable: false,
  valueEditable: false,
};

export function calculationSheet(sheet: Sheet, languages: readonly string[]): CalculationSheet {
  return present({
    quantity: wireQuantity(sheet.quantity),
    netValue: sheet.netValue,
    tax: sheet.tax,
    lines: sheet.lines.map((line) =>
      present({
        inactive: line.inactive,
        description: chooseText(line.label, languages).value,
        amount: line.amount && wireAmount(line.amount),
        qtyRelation: wireQuantity(line.qtyRelation),
        value: line.value,
        level: line.level,
        counter: line.counter,
        conditionType: line.conditionType,
        amountEdited: line.manual ?? false,
        ...readOnly,
      }),
    ),
    currency: sheet.currency,
  });
}

/** The prices of a project in a procedure. 422 `request-calculation-not-found` for an unknown one. */
export async function pricesOf(call: SessionCall, scheme: string | undefined): Promise<ProjectPrices> {
  const project = await call.project();
  return await projectPrices(project, scheme ?? defaultScheme(project) ?? "", call.parts.procedures);
}

/** The procedure that a project is calculated with; undefined without one. */
export function defaultScheme({ settings, procedures = [] }: ProjectDocument): string | undefined {
  return settings.defaultScheme ?? procedures[0]?.name;
}

const countedSets = new WeakMap<ProjectPrices, ReadonlySet<string>>();

/** Ids of the items that count, read for each folder. */
function countedOf(prices: ProjectPrices): ReadonlySet<string> {
  const counted = countedSets.get(prices) ?? new Set(prices.countedItemIds);
  countedSets.set(prices, counted);
  return counted;
}

/** The sheet of a node: of its items with all that is in a folder. The top folder's is that of the project. */
export function sheetOf(prices: ProjectPrices, { item, basketItems }: BasketNode): Sheet {
  const { calculation, procedure } = prices;
  if (item === undefined) return calculation.header;
  const counted = countedOf(prices);
  const ids = isPosition(item)
    ? basketItems.map(({ id }) => id)
    : [...walkItems(basketItems)].map(({ id }) => id).filter((id) => counted.has(id));
  const [only] = ids;
  const own = only === undefined || ids.length > 1 ? undefined : calculation.items[only];
  return own ?? groupSheet(calculation, procedure, ids);
}

/** The sheet of several nodes together; items inside of one of them count once. */
export function sheetOfAll(prices: ProjectPrices, nodes: readonly BasketNode[]): Sheet {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return sheetOf(prices, only);
  const counted = countedOf(prices);
  const ids = new Set(nodes.flatMap(({ basketItems }) => [...walkItems(basketItems)].map(({ id }) => id)));
  const wanted = [...ids].filter((id) => counted.has(id));
  return groupSheet(prices.calculation, prices.procedure, wanted);
}

/** Nothing for items without a price, such as folders. */
export function priceInfo(prices: ProjectPrices, node: BasketNode): PriceInfo | undefined {
  const { item } = node;
  if (item === undefined || !isPosition(item)) return undefined;
  const sheet = sheetOf(prices, node);
  const { scheme } = prices.calculation;
  return present({
    unitSize: { value: "1", unit: item.quantity.unit },
    netPrice: netPrice(sheet, prices.procedure)?.unit,
    netValue: sheet.netValue,
    tax: sheet.tax,
    inactive: item.inactive?.some((each) => each.scheme === undefined || each.scheme === scheme) ?? false,
    quantity: (node.quantity ?? item.quantity).value,
  });
}

const lineTypes = {
  condition: "Condition",
  subtotal: "Subtotal",
  text: "Text",
  break: "CalculationBreak",
} as const;
const insertModes = { always: "Always", manual: "Manual", auto: "Auto" } as const;

/** A procedure with its lines, with tags for the kind of each line. */
export const WireProcedure = Type.Object(
  {
    displayName: Type.String(),
    lines: Type.Array(
      Type.Object(
        {
          description: Type.String(),
          tags: Type.Array(Type.String()),
          conditionType: Type.Optional(Type.String(attribute)),
          counter: Type.Integer(attribute),
          from: Type.Optional(Type.Integer(attribute)),
          insertMode: Type.Enum(Object.values(insertModes), attribute),
          level: Type.Integer(attribute),
          lineType: Type.Enum(Object.values(lineTypes), attribute),
          printControl: Type.Optional(Type.String(attribute)),
          to: Type.Optional(Type.Integer(attribute)),
        },
        closed,
      ),
    ),
    halfWayRoundingMode: Type.Enum(["Even", "Up"], attribute),
    name: Type.String(attribute),
  },
  closed,
);

export function wireProcedure(
  { name, label, lines, halfWay }: PricingProcedure,
  languages: readonly string[],
): Static<typeof WireProcedure> {
  return {
    displayName: chooseText(label, languages).value || name,
    lines: lines.map((line) =>
      present({
        description: chooseText(line.label, languages).value,
        tags: line.tags,
        conditionType: line.conditionType,
        counter: line.counter,
        from: line.from,
        insertMode: insertModes[line.insertMode],
        level: line.level,
        lineType: lineTypes[line.kind],
        printControl: line.printControl,
        to: line.to,
      }),
    ),
    halfWayRoundingMode: halfWay === "even" ? "Even" : "Up",
    name,
  };
}

const classes = { price: "Price", priceModifier: "PriceModifier", tax: "Tax" } as const;
const rules = {
  percent: "Percent",
  fixedAmount: "FixedAmount",
  quantity: "Quantity",
  grossWeight: "GrossWeight",
  netWeight: "NetWeight",
  volume: "Volume",
  rounding: "Rounding",
} as const;
const roundings = {
  nearest: "RoundToNearest",
  up: "RoundUp",
  down: "RoundDown",
  none: "NoRounding",
} as const;

/** The kinds of conditions in a procedure. */
export const WireConditionType = Type.Object(
  {
    description: Type.String(),
    amountEditable: Type.Boolean(attribute),
    calculationRule: Type.Enum(Object.values(rules), attribute),
    calculationRuleEditable: Type.Boolean(attribute),
    conditionClass: Type.Enum(Object.values(classes), attribute),
    conditionDeletable: Type.Boolean(attribute),
    conditionSign: Type.Enum(["NoRestriction", "Negative", "Positive"], attribute),
    deferredCurrencyConversionEnabled: Type.Boolean(attribute),
    editMode: Type.Literal("Never", attribute),
    groupCondition: Type.Boolean(attribute),
    headerCondition: Type.Boolean(attribute),
    name: Type.String(attribute),
    quantityRelationEditable: Type.Boolean(attribute),
    roundingRule: Type.Enum(Object.values(roundings), attribute),
    valueEditable: Type.Boolean(attribute),
  },
  closed,
);

export function wireConditionType(
  type: PricingProcedure["conditionTypes"][number],
  languages: readonly string[],
): Static<typeof WireConditionType> {
  return {
    description: chooseText(type.label, languages).value || type.name,
    amountEditable: false,
    calculationRule: rules[type.rule],
    calculationRuleEditable: false,
    conditionClass: classes[type.conditionClass],
    conditionDeletable: false,
    conditionSign:
      type.sign === undefined ? "NoRestriction" : type.sign === "negative" ? "Negative" : "Positive",
    deferredCurrencyConversionEnabled: false,
    editMode: "Never",
    groupCondition: type.group,
    headerCondition: type.header,
    name: type.name,
    quantityRelationEditable: false,
    roundingRule: roundings[type.roundingRule ?? "nearest"],
    valueEditable: false,
  };
}

/** Languages of labels of a session, best first. */
export async function labelLanguagesOf({ project, record }: SessionCall): Promise<string[]> {
  return labelLanguages(await project(), record.locale);
}
