/**
 * Orders of an export as Order-X and as Peppol order: what goes where, what is left out and reported, and the rules that find a
 * wrong order. Uses the part itself: its rules see wrong orders, which no export makes.
 */
import { projectOf, smallOffice } from "@slipway/sdk/testing";
import fc from "fast-check";
import t from "tap";
import { checkOrder } from "../../plugins/oex/trade-checking/check-order.js";
import { orderXFormat } from "../../plugins/oex/trade-checking/order-x-format.js";
import { ublFormat } from "../../plugins/oex/trade-checking/ubl-format.js";
import { OexClient } from "./oex-client.js";
import { all, readXml, type XmlElement } from "./oex-document-tree.js";
import { checkCases, messagesOf } from "./order-checks.js";
import { orderCases } from "./order-projects.js";
import { type OrderKind, orderSchema, withoutSchemas } from "./order-schemas.js";
import type { Json } from "./plugin-client.js";
import { oexInMemory } from "./plugins-in-memory.js";

const host = await oexInMemory({ config: { validate: true }, alone: true });
const client = new OexClient(host);

const street = { street: "7 Slipway Road", postalCode: "PL1 3XX", location: "Plymouth" };
const dealer = {
  ...{ name1: "Harbour Interiors", name2: "Purchasing", addressNumber: "10042", addressId: "4012345000009" },
  ...{ ...street, countryCode: "GB", taxCodeEU: "GB123456789" },
};
const maker = { name1: "Northlight Furniture", ...street, countryCode: "DE", taxCodeEU: "DE 123 456 789" };

/** Two rates of tax, discounts of articles and of the order, a set, and a price that no quantity leads to its total. */
const office = projectOf({
  number: "P-7",
  name: "Harbour office",
  addresses: { SoldTo: dealer, Supplier: maker, ShipTo: { ...dealer, name1: "Site" } },
  manufacturers: { NLF: { name: "Northlight Furniture", series: { DSK: "Tidal" } } },
  items: [
    {
      ...{ article: "TD-160", finalNumber: "TD-160-OAK", manufacturer: "NLF", series: "DSK", quantity: 3 },
      ...{ text: "Desk", longText: "Height adjustable", sales: "100.00", purchase: "33.33", discount: "10" },
      features: { TOP: { label: "Top", text: "oak", value: "OAK" } },
      more: { ofmlVariantCode: "CFG.TOP=OAK" },
    },
    {
      set: "S-1",
      text: "Meeting set",
      items: [
        {
          ...{ article: "PB-20", manufacturer: "NLF", series: "DSK", text: "Chair", quantity: "2.5" },
          ...{ taxCategory: "reduced_rate", sales: "49.99", purchase: "20.00", discount: "33.3" },
        },
      ],
    },
  ],
  discount: "5",
});
const sales = { calculationPurchase: false, attachOBX: false };

/** An export as all kinds of orders. */
async function orders(project: Json, config: Json = {}) {
  const session = await client.open(project);
  const exported = (more: Json) => client.exported(session, { ...sales, ...config, ...more });
  const comfort = await exported({ orderX: "COMFORT", attachUBL: true });
  const extended = await exported({ orderX: "EXTENDED" });
  return { comfort, extended };
}

/** The texts of the elements with a name, anywhere; with their attributes on demand. */
function texts(file: { bytes: Uint8Array } | undefined, name: string): string[] {
  return all(readXml(file?.bytes ?? new Uint8Array()), name).map(({ text }) => text);
}

/** The texts of all elements without children, with their names. */
function leaves(element: XmlElement): string[] {
  if (element.children.length === 0) return [`${element.name.replace(/^.*:/, "")}: ${element.text}`];
  return element.children.flatMap(leaves);
}

function part(file: { bytes: Uint8Array } | undefined, name: string): string[] {
  const [found] = all(readXml(file?.bytes ?? new Uint8Array()), name);
  return found === undefined ? [] : leaves(found);
}

t.test("generated projects", { skip: withoutSchemas }, async (t) => {
  const kinds: OrderKind[] = ["COMFORT", "EXTENDED", "UBL"];
  const schemas = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await orderSchema(kind)] as const)),
  );
  const { made, mistakes } = await checkCases(
    host,
    fc.sample(orderCases, { numRuns: 40, seed: 20_261_124 }),
    schemas,
  );
  t.same(mistakes, []);
  for (const kind of kinds) t.ok((made.get(kind) ?? 0) > 10, kind);
  for (const schema of schemas.values()) schema.dispose();
});

t.test("an order in both formats", async (t) => {
  const { comfort, extended } = await orders(
    { ...office },
    {
      delivery: "2027-W03",
      commission: "Com 1",
      projectNumber: "PR-1",
      orderInfo: "Urgent",
      conditionNo: "C-9",
      docNumber: "PO-1",
    },
  );
  t.match(comfort.orderX?.name, /^oex-orders_PO-1_.*_order-x\.xml$/);
  t.match(comfort.ubl?.name, /^oex-orders_PO-1_.*_ubl\.xml$/);
  t.strictSame(texts(extended.orderX, "ram:ID")[0], "urn:order-x.eu:1p0:extended");
  t.strictSame(part(comfort.orderX, "rsm:ExchangedDocument").slice(0, 2), ["ID: PO-1", "TypeCode: 220"]);
  t.strictSame(part(extended.orderX, "ram:IncludedSupplyChainTradeLineItem"), [
    ...["LineID: 000010", "SellerAssignedID: TD-160-OAK", "ModelID: TD-160", "Name: Desk"],
    ...["Description: Height adjustable", "BrandName: Northlight Furniture", "ModelName: Tidal"],
    ...["TypeCode: TOP", "Description: Top", "Value: oak"],
    ...["TypeCode: OVC", "Description: OFML variant code", "Value: CFG.TOP=OAK"],
    ...["ChargeAmount: 100.00", "Indicator: false", "CalculationPercent: 10.00", "BasisAmount: 100.00"],
    ...["ActualAmount: 10.00", "ReasonCode: 95", "Reason: Percent discount 1", "ChargeAmount: 90.00"],
    ...["Indicator: true", "RequestedQuantity: 3"],
    ...["TypeCode: VAT", "CategoryCode: S", "RateApplicablePercent: 19.00", "LineTotalAmount: 270.00"],
  ]);
  t.match(part(comfort.orderX, "ram:ApplicableHeaderTradeAgreement"), [
    ...["BuyerReference: Com 1", "Name: Northlight Furniture"],
  ]);
  t.strictSame(part(comfort.orderX, "ram:BuyerTradeParty"), [
    ...[
      "ID: 10042",
      "GlobalID: 4012345000009",
      "Name: Harbour Interiors Purchasing",
      "PostcodeCode: PL1 3XX",
    ],
    ...["LineOne: 7 Slipway Road", "CityName: Plymouth", "CountryID: GB", "ID: GB123456789"],
  ]);
  t.strictSame(part(comfort.orderX, "ram:RequestedDeliverySupplyChainEvent"), [
    ...["DateTimeString: 20270118", "DateTimeString: 20270124"],
  ]);
  t.strictSame(part(comfort.ubl, "cac:Price"), [
    ...["PriceAmount: 90.00", "ChargeIndicator: false", "Amount: 10.00", "BaseAmount: 100.00"],
  ]);
  t.strictSame(part(comfort.ubl, "cac:AdditionalItemProperty"), [
    ...["Name: Top", "NameCode: TOP", "Value: oak", "ValueQualifier: OAK"],
  ]);
  t.strictSame(texts(comfort.ubl, "cbc:EndpointID"), ["4012345000009", "DE123456789"]);
  t.strictSame(part(comfort.ubl, "cac:ProjectReference"), ["ID: PR-1"]);
  t.strictSame(part(comfort.ubl, "cac:Contract"), ["ID: C-9"]);
});

t.test("a discount of the order falls to each tax in its share", async (t) => {
  const { extended } = await orders({ ...office });
  const summary = part(extended.orderX, "ram:SpecifiedTradeSettlementHeaderMonetarySummation");
  // 5 % of 270.00 and of 83.36, at 19 % and 7 %
  t.strictSame(texts(extended.orderX, "ram:ActualAmount").slice(-2), ["13.50", "4.17"]);
  t.strictSame(summary, [
    ...["LineTotalAmount: 353.36", "ChargeTotalAmount: 0.00", "AllowanceTotalAmount: 17.67"],
    ...["TaxBasisTotalAmount: 335.69", "TaxTotalAmount: 54.28", "GrandTotalAmount: 389.97"],
  ]);
  const settlement = part(extended.orderX, "ram:ApplicableHeaderTradeSettlement");
  t.strictSame(settlement.slice(1, 11), [
    ...["CalculatedAmount: 48.74", "TypeCode: VAT", "BasisAmount: 256.50", "CategoryCode: S"],
    ...["RateApplicablePercent: 19.00", "CalculatedAmount: 5.54", "TypeCode: VAT", "BasisAmount: 79.19"],
    ...["CategoryCode: S", "RateApplicablePercent: 7.00"],
  ]);
});

t.test("where the net price does not lead to the total, the total is the price of all of them", async (t) => {
  const { comfort } = await orders({ ...office });
  const lines = all(readXml(comfort.orderX?.bytes ?? new Uint8Array()), "ram:NetPriceProductTradePrice");
  t.strictSame(lines.map(leaves), [["ChargeAmount: 90.00"], ["ChargeAmount: 83.36", "BasisQuantity: 2.5"]]);
});

t.test("hidden discounts stay hidden", async (t) => {
  const { comfort, extended } = await orders({ ...office }, { hideDiscounts: true });
  for (const file of [comfort.orderX, extended.orderX, comfort.ubl]) {
    t.notMatch(Buffer.from(file?.bytes ?? []).toString(), /GrossPrice|AllowanceCharge>/);
    t.match(Buffer.from(file?.bytes ?? []).toString(), />335\.69</, "the net total after them is there");
  }
});

t.test("what has no place is reported once for each kind", async (t) => {
  const { comfort } = await orders(
    { ...smallOffice(), addresses: office.addresses },
    { salesGroup: "G", salesOrganisation: "O", orderType: "SO" },
  );
  t.strictSame(messagesOf(comfort.errors, "oex-value-omitted", /^Order-X/), [
    "Order-X COMFORT has no place for the type of the order; the export leaves this out.",
    "Order-X COMFORT has no place for the sales organisation; the export leaves this out.",
    "Order-X COMFORT has no place for the sales group; the export leaves this out.",
    "Order-X COMFORT has no place for folders; the export leaves this out 2 times.",
    "Order-X COMFORT has no place for texts between the articles; the export leaves this out.",
    "Order-X COMFORT has no place for positions in the article list; the export leaves this out 4 times.",
    "Order-X COMFORT has no place for the symbols of values, of articles without a variant code; the export leaves this out 2 times.",
  ]);
});

t.test("what is repaired in items is told once, whatever files are made", async (t) => {
  const messy = {
    ...office,
    items: office.items.map((item) =>
      "manufacturerId" in item ? { ...item, manufacturerId: "NORTHLIGHT" } : item,
    ),
  };
  const session = await client.open(messy);
  const told = async (config: Json) => {
    const { errors } = await client.exported(session, { ...sales, ...config });
    return messagesOf(errors, "oex-value-repaired").sort();
  };
  const document = await told({});
  t.match(document.join("\n"), /`manufacturerId` of the item 1 \("NORTHLIGHT"\): "NORT" is written/);
  t.strictSame(await told({ orderX: "COMFORT", attachUBL: true }), document, "beside the document");
  for (const config of [{ orderX: "COMFORT" }, { attachUBL: true }, { orderX: "COMFORT", attachUBL: true }])
    t.strictSame(await told({ ...config, attachOEX: false }), document, JSON.stringify(config));
  t.ok((await told({ attachOEX: false })).length < document.length, "no file has the items");
});

t.test(
  "a template that makes no archivable PDF prints once, and names the files that are within",
  async (t) => {
    const printed: string[] = [];
    const html = (data: unknown) => {
      printed.push(JSON.stringify(data));
      return "<p>plain</p>";
    };
    const other = new OexClient(await oexInMemory({ templates: [{ key: "plain", html }] }));
    const session = await other.open({ ...office });
    const embedInPDF = ["OBX", "ORDER-X"];
    const made = await other.exported(session, { attachPDF: true, reporterTemplateKey: "plain", embedInPDF });
    t.equal(printed.length, 1);
    t.match(printed[0], made.obx?.name ?? "no OBX");
    t.notMatch(printed[0], /order-x\.xml/);
    t.strictSame(made.json["embedded"], [made.obx?.name]);
    t.ok(made.orderX, "the order is beside it");
    t.strictSame(messagesOf(made.errors, "pdf-not-archivable"), [
      'order-x.xml is a file beside the PDF and not inside it: The template "plain" makes no archivable PDF.',
    ]);
  },
);

t.test("two profiles for one order are a contradiction", async (t) => {
  const sessionId = await client.open({ ...office });
  const config = { orderX: "COMFORT", orderXProfile: "EXTENDED" };
  const { status, json } = await client.export({ sessionId, config });
  t.equal(status, 400);
  t.match(JSON.stringify(json), /body\.config\.orderXProfile/);
});

t.test("orders that cannot be made", async (t) => {
  const reasons = async (project: Json, config: Json = {}) => {
    const { comfort } = await orders(project, config);
    t.equal(comfort.oex === undefined, false, "the OEX document is there in any case");
    return messagesOf(comfort.errors, "oex-order-missing");
  };
  const without = (...types: string[]) => ({
    ...office,
    addresses: office.addresses?.filter(({ addressType }) => !types.includes(addressType)),
  });
  t.match(await reasons(without("SoldTo")), [
    /^The export has no Order-X COMFORT: there is no complete SoldTo address, which is the buyer's\./,
    /^The export has no Peppol order \(UBL\): there is no complete SoldTo address/,
  ]);
  t.match(
    await reasons(without("Supplier")),
    [/no complete Supplier address, which is due/],
    "but an Order-X",
  );
  t.match(await reasons({ ...without("Supplier"), manufacturers: {} }), [
    /which would be the seller/,
    /seller/,
  ]);
  t.match(await reasons({ ...office }, { documentType: "QUOTES" }), [/is a quotation/, /is a quotation/]);
  t.match(await reasons({ ...office }, { calculationSales: false }), [
    /neither purchase nor sales/,
    /neither/,
  ]);
  const noIds = { ...maker, taxCodeEU: "123" };
  t.match(await reasons({ ...office }, { addresses: [{ addressType: "Supplier", ...noIds }] }), [
    /the seller has no electronic address; it needs a GLN, .* or sellerEndpoint/,
  ]);
  t.same(
    await reasons(
      { ...office },
      { addresses: [{ addressType: "Supplier", ...noIds }], sellerEndpoint: "0060:123456789" },
    ),
    [],
  );
  const tooMuch = {
    ...office,
    conditions: [{ level: 411, counter: 0, amount: { kind: "money", value: "-999", currency: "EUR" } }],
  };
  t.match(await reasons(tooMuch), [/to less than nothing/, /to less than nothing/]);
});

t.test("who buys", async (t) => {
  const branch = {
    ...office,
    addresses: [...(office.addresses ?? []), { addressType: "Branch", ...dealer, name1: "Dealer" }],
  };
  const buyerOf = async (config: Json) => {
    const { comfort, extended } = await orders(branch, { calculationPurchase: true, ...config });
    return {
      buyer: part(extended.orderX, "ram:BuyerTradeParty").find((each) => each.startsWith("Name")),
      endUser: part(extended.orderX, "ram:ProductEndUserTradeParty").find((each) => each.startsWith("Name")),
      doubts: messagesOf(comfort.errors, "oex-buyer-doubtful").length,
    };
  };
  const soldTo = "Name: Harbour Interiors Purchasing";
  t.strictSame(await buyerOf({}), { buyer: soldTo, endUser: undefined, doubts: 1 });
  t.strictSame(await buyerOf({ buyer: "SoldTo" }), { buyer: soldTo, endUser: undefined, doubts: 0 });
  t.strictSame(await buyerOf({ buyer: "Branch" }), {
    buyer: "Name: Dealer Purchasing",
    endUser: soldTo,
    doubts: 0,
  });
});

t.test("purchase prices come first, and never beside sales prices", async (t) => {
  const { comfort } = await orders({ ...office }, { calculationPurchase: true });
  for (const file of [comfort.orderX, comfort.ubl]) {
    const text = Buffer.from(file?.bytes ?? []).toString();
    t.match(text, />33\.33</);
    t.notMatch(text, />90\.00<|>100\.00</);
  }
});

t.test("a wrong order is found", async (t) => {
  const { comfort, extended } = await orders({ ...office });
  const files = {
    COMFORT: { file: comfort.orderX, format: orderXFormat },
    EXTENDED: { file: extended.orderX, format: orderXFormat },
    UBL: { file: comfort.ubl, format: ublFormat },
  };
  for (const kind of ["COMFORT", "EXTENDED", "UBL"] as const)
    t.same(await checkOrder(Buffer.from(files[kind].file?.bytes ?? []), files[kind].format), [], kind);

  const mutations: [rule: string, kind: OrderKind, from: string | RegExp, to: string][] = [
    ["identifier", "COMFORT", "1p0:comfort", "1p0:basic"],
    ["identifier", "COMFORT", "<ram:TypeCode>220", "<ram:TypeCode>230"],
    ["issue-date", "COMFORT", /(format="102">\d{4})\d{4}/, "$10231"],
    ["party", "COMFORT", /(<ram:BuyerTradeParty>.*?)<ram:Name>.*?<\/ram:Name>/, "$1"],
    ["party", "COMFORT", /(<ram:SellerTradeParty>.*?)<ram:Name>.*?<\/ram:Name>/, "$1"],
    ["party", "COMFORT", "<ram:CountryID>GB", "<ram:CountryID>UK"],
    [
      "order-lines",
      "COMFORT",
      /<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/,
      "",
    ],
    ["line-id", "COMFORT", /(<ram:LineID>)(?!000010)\d+/, "$1000010"],
    ["line-id", "COMFORT", "<ram:LineID>000010</ram:LineID>", ""],
    ["line-name", "COMFORT", "<ram:Name>Desk</ram:Name>", ""],
    ["line-quantity", "COMFORT", ">3</ram:RequestedQuantity>", ">-3</ram:RequestedQuantity>"],
    ["line-quantity", "COMFORT", 'RequestedQuantity unitCode="C62"', "RequestedQuantity"],
    ["line-total", "COMFORT", ">3</ram:RequestedQuantity>", ">4</ram:RequestedQuantity>"],
    ["net-price", "COMFORT", ">90.00</ram:ChargeAmount>", ">-90.00</ram:ChargeAmount>"],
    ["base-quantity", "COMFORT", />2.5<\/ram:BasisQuantity>/, ">0</ram:BasisQuantity>"],
    ["gross-price", "COMFORT", "<ram:ChargeAmount>100.00", "<ram:ChargeAmount>101.00"],
    ["change-percent", "COMFORT", "<ram:CalculationPercent>10.00", "<ram:CalculationPercent>11.00"],
    ["change-percent", "COMFORT", "<ram:BasisAmount>100.00</ram:BasisAmount>", ""],
    ["change-amount", "COMFORT", "<ram:ActualAmount>13.50", "<ram:ActualAmount>-13.50"],
    ["change-reason", "COMFORT", /<ram:ReasonCode>95<\/ram:ReasonCode>(<ram:Reason>.*?<\/ram:Reason>)?/, ""],
    ["tax-category", "COMFORT", "<ram:CategoryCode>S", "<ram:CategoryCode>E"],
    ["tax-category", "COMFORT", "<ram:CategoryCode>S", "<ram:CategoryCode>K"],
    ["tax-total", "COMFORT", ">7.00</ram:RateApplicablePercent>", ">19.00</ram:RateApplicablePercent>"],
    ["lines-total", "COMFORT", "<ram:LineTotalAmount>353.36", "<ram:LineTotalAmount>353.37"],
    ["change-totals", "COMFORT", "<ram:AllowanceTotalAmount>17.67", "<ram:AllowanceTotalAmount>17.66"],
    ["change-totals", "COMFORT", "<ram:ChargeTotalAmount>0.00", "<ram:ChargeTotalAmount>1.00"],
    ["net-total", "COMFORT", "<ram:TaxBasisTotalAmount>335.69", "<ram:TaxBasisTotalAmount>335.70"],
    ["totals", "COMFORT", "<ram:GrandTotalAmount>389.97</ram:GrandTotalAmount>", ""],
    ["gross-total", "COMFORT", "<ram:GrandTotalAmount>389.97", "<ram:GrandTotalAmount>389.98"],
    ["tax-total", "COMFORT", ">54.28</ram:TaxTotalAmount>", ">55.28</ram:TaxTotalAmount>"],
    ["currency", "COMFORT", 'currencyID="EUR"', 'currencyID="USD"'],
    ["currency", "COMFORT", "<ram:OrderCurrencyCode>EUR</ram:OrderCurrencyCode>", ""],
    ["empty-element", "COMFORT", "<ram:Name>Desk</ram:Name>", "<ram:Name/>"],
    ["readable", "COMFORT", "</rsm:SupplyChainTradeTransaction>", ""],
    ["tax-breakdown", "EXTENDED", "<ram:BasisAmount>256.50", "<ram:BasisAmount>256.49"],
    ["tax-breakdown", "EXTENDED", "<ram:CalculatedAmount>48.74", "<ram:CalculatedAmount>48.73"],
    ["identifier", "UBL", "trns:order:3", "trns:order:2"],
    ["identifier", "UBL", "bis:order_only:3", "bis:billing:3"],
    ["party", "UBL", /<cac:PartyLegalEntity>.*?<\/cac:PartyLegalEntity>/, ""],
    ["endpoint", "UBL", ' schemeID="0088"', ""],
    ["endpoint", "UBL", /<cbc:EndpointID.*?<\/cbc:EndpointID>/, ""],
    ["vat-number", "UBL", "<cbc:CompanyID>GB123456789", "<cbc:CompanyID>123456789"],
    ["currency", "UBL", 'currencyID="EUR"', 'currencyID="USD"'],
    ["decimals", "UBL", ">353.36</cbc:LineExtensionAmount>", ">353.360</cbc:LineExtensionAmount>"],
    ["line-quantity", "UBL", ">3</cbc:Quantity>", ">-3</cbc:Quantity>"],
    ["net-price", "UBL", ">90.00</cbc:PriceAmount>", ">-90.00</cbc:PriceAmount>"],
    ["line-total", "UBL", ">270.00</cbc:LineExtensionAmount>", ">270.01</cbc:LineExtensionAmount>"],
    ["gross-price", "UBL", ">100.00</cbc:BaseAmount>", ">100.01</cbc:BaseAmount>"],
    ["base-quantity", "UBL", />2.5<\/cbc:BaseQuantity>/, ">-1</cbc:BaseQuantity>"],
    ["change-amount", "UBL", ">13.50</cbc:Amount>", ">-13.50</cbc:Amount>"],
    ["change-reason", "UBL", /<cbc:AllowanceChargeReasonCode>.*?<\/cbc:AllowanceChargeReason>/, ""],
    ["gross-total", "UBL", ">389.97</cbc:PayableAmount>", ">389.98</cbc:PayableAmount>"],
    ["gross-total", "UBL", ">389.97</cbc:TaxInclusiveAmount>", ">389.98</cbc:TaxInclusiveAmount>"],
    ["net-total", "UBL", ">335.69</cbc:TaxExclusiveAmount>", ">335.68</cbc:TaxExclusiveAmount>"],
    ["tax-category", "UBL", "<cbc:Percent>19.00</cbc:Percent>", ""],
    ["empty-element", "UBL", "<cac:Country>", "<cbc:Region></cbc:Region><cac:Country>"],
  ];
  for (const [rule, kind, from, to] of mutations) {
    const { file, format } = files[kind];
    const xml = Buffer.from(file?.bytes ?? []).toString();
    const changed = xml.replace(from, to);
    t.not(changed, xml, `${kind}: ${from} is in the file`);
    const problems = await checkOrder(Buffer.from(changed), format);
    t.ok(
      problems.some((problem) => problem.rule === rule),
      `${kind}: ${from}: ${rule}, found ${problems.map((problem) => problem.rule).join(", ") || "nothing"}`,
    );
  }
});
