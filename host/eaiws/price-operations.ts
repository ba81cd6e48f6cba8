/** Operations of the service `Basket` about prices: sheets, procedures, currency and taxes. */
import {
  badRequest,
  Currency,
  chooseText,
  Decimal,
  type ProjectDocument,
  shownValue,
  Type,
} from "@slipway/sdk";
import { attribute } from "../soap/soap.js";
import { ItemIds, itemSelection } from "./basket-operations.js";
import { type BasketNode, basketTree, selectedNodes } from "./basket-tree.js";
import {
  CalculationSheet,
  calculationSheet,
  ItemCalculationSheet,
  labelLanguagesOf,
  pricesOf,
  sheetOf,
  sheetOfAll,
  WireConditionType,
  WireProcedure,
  wireConditionType,
  wireProcedure,
} from "./price-sheets.js";
import { closed, NoResult, type SessionCall, sessionOperation } from "./soap-operation.js";
import {
  schemeDescription,
  schemeNamed,
  schemesOf,
  TaxSchemeDescription,
  WireTaxScheme,
  wireTaxScheme,
} from "./tax-schemes.js";

const Flag = Type.Optional(Type.Boolean());
const off = Type.Optional(Type.Literal(false));
const SchemeName = Type.Optional(Type.String({ maxLength: 200 }));

/** Items that do not count are left out of sums as long as nothing else is asked for. */
const sheetParameters = {
  itemIds: ItemIds,
  ppName: SchemeName,
  options: Type.Optional(
    Type.Object(
      {
        ...itemSelection,
        excludeInactiveItems: Flag,
        includeInactiveItems: off,
        groupPseudoArticleParts: off,
        groupSubArticles: off,
        sumUpComposite: off,
        itemCondAmountPerUnit: off,
        headerCondAmountPerUnit: off,
      },
      closed,
    ),
  ),
};

/** One empty id, or no ids, mean the sheet of the project. */
const isOfProject = (itemIds: readonly string[] | undefined): boolean =>
  itemIds === undefined || itemIds.every((id) => id === "");

const ExchangeRate = Type.Object({ currency: Type.String(attribute), rate: Type.String(attribute) }, closed);

export const priceOperations = [
  sessionOperation({
    name: "getPriceCalculationSheets",
    parameters: sheetParameters,
    result: Type.Array(ItemCalculationSheet),
    async handle(call, { itemIds, ppName, options = {} }) {
      const prices = await pricesOf(call, ppName);
      const languages = await labelLanguagesOf(call);
      const { top, all } = basketTree(await call.project(), options.viewId);
      const nodes: BasketNode[] =
        itemIds === undefined
          ? [top, ...all.filter(({ item }) => item?.type !== "text")]
          : isOfProject(itemIds)
            ? [top]
            : selectedNodes(basketTree(await call.project(), options.viewId), itemIds, options);
      return nodes.map((node) => ({
        id: node === top ? "" : node.id,
        sheet: calculationSheet(sheetOf(prices, node), languages),
      }));
    },
  }),
  sessionOperation({
    name: "getPriceCalculationSheet",
    parameters: sheetParameters,
    result: CalculationSheet,
    async handle(call, { itemIds, ppName, options = {} }) {
      const prices = await pricesOf(call, ppName);
      const tree = basketTree(await call.project(), options.viewId);
      const nodes = isOfProject(itemIds) ? [tree.top] : selectedNodes(tree, itemIds, options);
      return calculationSheet(sheetOfAll(prices, nodes), await labelLanguagesOf(call));
    },
  }),
  sessionOperation({
    name: "listPricingProcedures",
    parameters: { active: Flag },
    result: Type.Array(Type.Object({ displayName: Type.String(), name: Type.String(attribute) }, closed)),
    async handle(call) {
      const languages = await labelLanguagesOf(call);
      return ((await call.project()).procedures ?? []).map(({ name, label }) => ({
        displayName: chooseText(label, languages).value || name,
        name,
      }));
    },
  }),
  sessionOperation({
    name: "addPriceCalculation",
    parameters: { ppName: Type.String({ minLength: 1, maxLength: 200 }), makeDefault: Flag },
    result: NoResult,
    async handle({ parts, project, change }, { ppName, makeDefault = false }) {
      const isThere = ({ procedures = [] }: ProjectDocument) =>
        procedures.some(({ name }) => name === ppName);
      const added = isThere(await project()) ? undefined : await parts.procedures.find(ppName);
      await change((document) => {
        const { procedures = [], settings } = document;
        if (!isThere(document) && added === undefined)
          throw badRequest("The price calculation cannot be added", [
            { path: "ppName", expected: "a pricing procedure of this server", received: shownValue(ppName) },
          ]);
        return {
          ...document,
          procedures: isThere(document) || added === undefined ? procedures : [...procedures, added],
          settings: makeDefault ? { ...settings, defaultScheme: ppName } : settings,
        };
      });
    },
  }),
  sessionOperation({
    name: "getPricingProcedure",
    parameters: { active: Flag, name: SchemeName },
    result: WireProcedure,
    handle: async (call, { name }) =>
      wireProcedure((await pricesOf(call, name)).procedure, await labelLanguagesOf(call)),
  }),
  sessionOperation({
    name: "getConditionTypes",
    parameters: { active: Flag, ppName: SchemeName, names: Type.Optional(Type.Array(Type.String())) },
    result: Type.Array(WireConditionType),
    async handle(call, { ppName, names }) {
      const { procedure } = await pricesOf(call, ppName);
      const languages = await labelLanguagesOf(call);
      const wanted = procedure.conditionTypes.filter(({ name }) => names?.includes(name) ?? true);
      return wanted.map((type) => wireConditionType(type, languages));
    },
  }),
  sessionOperation({
    name: "getCurrency",
    parameters: {},
    result: Type.String(),
    handle: async (call) => (await settings(call)).currency,
  }),
  sessionOperation({
    name: "setCurrency",
    parameters: { currency: Currency },
    result: NoResult,
    handle: ({ change }, { currency }) =>
      change((project) => ({ ...project, settings: { ...project.settings, currency } })),
  }),
  sessionOperation({
    name: "getReferenceCurrency",
    parameters: { active: Flag },
    result: Type.String(),
    handle: async (call) => (await settings(call)).referenceCurrency,
  }),
  sessionOperation({
    name: "getExchangeRates",
    parameters: { currencies: Type.Optional(Type.Array(Currency)), active: Flag },
    result: Type.Array(ExchangeRate),
    async handle(call, { currencies }) {
      const rates = Object.entries((await settings(call)).exchangeRates);
      return rates
        .filter(([currency]) => currencies?.includes(currency) ?? true)
        .map(([currency, rate]) => ({ currency, rate }));
    },
  }),
  sessionOperation({
    name: "setExchangeRates",
    parameters: {
      exchangeRates: Type.Array(Type.Object({ currency: Currency, rate: Decimal }, closed)),
      referenceCurrency: Type.Optional(Currency),
    },
    result: NoResult,
    handle: ({ change }, { exchangeRates, referenceCurrency }) =>
      change((project) => ({
        ...project,
        settings: {
          ...project.settings,
          referenceCurrency: referenceCurrency ?? project.settings.referenceCurrency,
          exchangeRates: {
            ...project.settings.exchangeRates,
            ...Object.fromEntries(exchangeRates.map(({ currency, rate }) => [currency, rate])),
          },
        },
      })),
  }),
  sessionOperation({
    name: "listTaxSchemes",
    parameters: { active: Flag, country: Type.Optional(Type.String({ maxLength: 20 })) },
    result: Type.Array(TaxSchemeDescription),
    async handle(call, { active = false, country }) {
      const schemes = schemesOf(await call.project(), configured(call), active).map(schemeDescription);
      return schemes.filter((each) => country === undefined || country === "" || each.country === country);
    },
  }),
  sessionOperation({
    name: "getTaxScheme",
    parameters: { active: Flag, schemeId: Type.String({ maxLength: 200 }) },
    result: WireTaxScheme,
    async handle(call, { schemeId }) {
      const scheme = schemeNamed(await call.project(), configured(call), schemeId);
      return wireTaxScheme(scheme, (await settings(call)).currency, await labelLanguagesOf(call));
    },
  }),
  sessionOperation({
    name: "getCurrentTaxScheme",
    parameters: {},
    result: Type.String(),
    handle: async (call) => (await settings(call)).taxScheme?.id ?? "",
  }),
  sessionOperation({
    name: "selectCurrentTaxScheme",
    parameters: { schemeId: Type.String({ maxLength: 200 }) },
    result: NoResult,
    handle: (call, { schemeId }) =>
      call.change((project) => ({
        ...project,
        settings: { ...project.settings, taxScheme: schemeNamed(project, configured(call), schemeId) },
      })),
  }),
];

async function settings({ project }: SessionCall) {
  return (await project()).settings;
}

function configured({ parts }: SessionCall) {
  return parts.configuration.eaiws.taxSchemes;
}
