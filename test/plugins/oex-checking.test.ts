/** Schemas and rules of OEX documents: what is accepted, and what is refused in which words. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { XmlSchema } from "@slipway/sdk";
import t, { type Test } from "tap";
import { repository } from "../start-host.js";
import { createOexChecker, readSchemaFiles } from "./oex-checking-support.js";
import { formats, type OexFormat } from "./oex-formats.js";
import { sampleDocument } from "./oex-sample-document.js";

const checker = await createOexChecker();
t.teardown(() => checker.dispose());

const orders31: OexFormat = { type: "ORDERS", version: "3.1" };
const quotes31: OexFormat = { type: "QUOTES", version: "3.1" };
const orders23: OexFormat = { type: "ORDERS", version: "2.3" };
const quotes23: OexFormat = { type: "QUOTES", version: "2.3" };

/** One change of a valid document, and the rule that refuses it with a message that has all these words. */
type Case = [from: string | RegExp, to: string, rule: string, ...words: string[]];

function changed(format: OexFormat, from: string | RegExp, to: string): string {
  const text = sampleDocument(format);
  const result = text.replace(from, () => to);
  if (result === text) throw new Error(`${from} is not in the document`);
  return result;
}

async function refuses(t: Test, format: OexFormat, cases: readonly Case[]): Promise<void> {
  for (const [from, to, rule, ...words] of cases) {
    const problems = await checker.check(Buffer.from(changed(format, from, to)));
    const found = problems.some(
      (problem) => problem.rule === rule && words.every((word) => problem.message.includes(word)),
    );
    t.ok(
      found,
      `${format.type} ${format.version}: ${from} -> ${to.slice(0, 60)}: ${rule} ${words.join(" ")}`,
      { problems },
    );
  }
}

t.test("valid documents of all types and versions are accepted", async (t) => {
  for (const format of formats) {
    t.strictSame(
      await checker.check(Buffer.from(sampleDocument(format))),
      [],
      `${format.type} ${format.version}`,
    );
  }
});

t.test("the example of the OEX reference is accepted", async (t) => {
  const path = join(repository, "..", "shared", "reference", "oex-3.1-example-orders.xml");
  if (!existsSync(path)) return t.pass("it is not at hand");
  t.strictSame(await checker.check(await readFile(path)), []);
});

t.test("elements that an export never writes are accepted", async (t) => {
  for (const [format, from, to] of [
    [
      orders31,
      "<vClientNumber>",
      '<vPrecedingDocType aDocContext="S">QUO</vPrecedingDocType><vPrecedingDocNo>A1</vPrecedingDocNo><vClientNumber>',
    ],
    [
      orders31,
      "<vPriceUnit>1</vPriceUnit>",
      "<vConditionText>List</vConditionText><vPriceUnit>1.000</vPriceUnit>",
    ],
    [orders31, "<hdrOrgData>", '<hdrOrgData aAction="M">'],
    [
      orders31,
      '<vDateValue aDateFormat="W">202653',
      '<vDateValue aDateFormat="C" aDateCalcBase="*DIO" aDateCalcMode="+">0014',
    ],
    [orders31, "xsi:noName", 'aTransferMode="T" xsi:noName'],
    [quotes31, 'aItemType="A"', 'aItemType="A" aIsPseudo="Y"'],
    [quotes23, "<vClientNumber>", "<vRequestNumber>R1</vRequestNumber><vClientNumber>"],
    [orders23, 'aItemCount="3" aAction="C"', 'aItemCount="3"'],
  ] as const) {
    const text = sampleDocument(format).replace(from, () => to);
    t.ok(text.includes(to), `the document has ${to}`);
    t.strictSame(await checker.check(Buffer.from(text)), [], to);
  }
});

t.test("lengths count characters, whatever they take", async (t) => {
  const location = "<vLocation>Musterstadt</vLocation>";
  const emoji = (count: number) =>
    changed(orders31, location, `<vLocation>${"😀".repeat(count)}</vLocation>`);
  t.strictSame(await checker.check(Buffer.from(emoji(35))), []);
  t.match(await checker.check(Buffer.from(emoji(36))), [{ rule: "schema", message: /vLocation.*35/ }]);
});

t.test("what the schemas refuse", async (t) => {
  await refuses(t, orders31, [
    // Sequence and occurrence
    ["<vVendorNumber>700312</vVendorNumber>", "", "schema", "vDocCurrency", "vVendorNumber"],
    ["<vPartialDelivery>Y</vPartialDelivery>", "", "schema", "vDocLanguage", "vPartialDelivery"],
    ["<vVolume>1.000</vVolume>", "", "schema", "vUnitVolume"],
    ["<vUnitWeight>KGM</vUnitWeight>", "", "schema", "vUnitWeight"],
    ["<vGrossWeight>12.500</vGrossWeight>", "", "schema", "vUnitWeight"],
    ["<vIncoTermLocation>Musterstadt</vIncoTermLocation>", "", "schema", "vIncoTermLocation"],
    ["<vTimeZone>+0100</vTimeZone>", "", "schema", "vTimeZone"],
    ["<vStreet>Allee 1</vStreet>", "", "schema", "vStreet"],
    ["<vReferenceDesc>PDF</vReferenceDesc>", "", "schema", "vReferenceDesc"],
    ["<vValueID>EI1</vValueID>", "", "schema", "vValueID"],
    ["<vVendorID>FHM</vVendorID>", "", "schema", "vVendorID"],
    ["<vFolderName>Raum</vFolderName>", "", "schema", "vFolderName"],
    ["<vOrderSubArtId>", "<vOrderX/><vOrderSubArtId>", "schema", "vOrderX"],
    [/<vOrderComposNo>\d+<\/vOrderComposNo>/, "", "schema", "vOrderSubArtId"],
    [/<docArticleItem[\s\S]*<\/docArticleItem>/, "", "schema", "docArticleItem"],
    // Attributes
    [' aIsVisible="Y"', "", "schema", "aIsVisible"],
    [' aUUID="5e11a0f2-4c1e-4f6a-9b3d-000000000001"', "", "schema", "aUUID"],
    [' aStatus="O"', "", "schema", "aStatus"],
    [' aScopeInfo="B"', "", "schema", "aScopeInfo"],
    [' aMIMEType="application/pdf"', "", "schema", "aMIMEType"],
    [' aDocContext="R"', "", "schema", "aDocContext"],
    [' aCondArea="P"', "", "schema", "aCondArea"],
    ['aAction="C" aUUID', 'aAction="X" aUUID', "schema", "aAction", "X"],
    ["<docArticleItem ", '<docArticleItem aItemType="A" ', "schema", "aItemType"],
    ['aTypeDis="VO"', 'aTypeDis="PC"', "schema", "aTypeDis", "PC"],
    ['aTaxCode="1"', 'aTaxCode="7"', "schema", "aTaxCode", "7"],
    ['aMIMEType="application/pdf"', 'aMIMEType="pdf"', "schema", "aMIMEType", "pdf"],
    // Values
    [">EUR</vDocCurrency>", ">Eur</vDocCurrency>", "schema", "vDocCurrency", "Eur"],
    [">12345<", ">12345 <", "schema", "vPostalCode"],
    [">DE</vCountryCode>", ">DEU</vCountryCode>", "schema", "vCountryCode", "DEU"],
    ["<vVendorID>FHM", "<vVendorID>FHM12", "schema", "vVendorID", "FHM12"],
    ["<vVendorSeries>TZ1", "<vVendorSeries>tz1", "schema", "vVendorSeries", "tz1"],
    [">3.000<", ">3.0001<", "schema", "vOrderQuantity", "3.0001"],
    [">250.00<", ">-250.00<", "schema", "vConditionValue", "-250.00"],
    [">Tisch<", `>${"a".repeat(81)}<`, "schema", "vTextContent", "80"],
    [">Tisch<", ">Ti\tsch<", "schema", "vTextContent"],
    [">Haus C<", "><", "schema", "vOrgDataValue"],
    [">101500<", ">241500<", "schema", "vTimeValue", "241500"],
    [">SO</vOrderType>", ">XX</vOrderType>", "schema", "vOrderType", "XX"],
    [">DDP<", ">DAP<", "schema", "vIncoTerm", "DAP"],
    [">2.00</vPaymentRate>", ">100.00</vPaymentRate>", "schema", "vPaymentRate"],
    // Codes by context
    [">ORD</vDateTimeType>", ">XXX</vDateTimeType>", "schema", "vDateTimeType", "XXX"],
    [">CRD</vDateTimeType>", ">DOC</vDateTimeType>", "schema", "vDateTimeType", "DOC"],
    [">COM<", ">POS<", "schema", "vOrgDataType", "POS"],
    [">HEAD<", ">ARTS<", "schema", "vTextType", "ARTS"],
    [">ARTS<", ">HEAD<", "schema", "vTextType", "HEAD"],
    [">TGRO<", ">SGRO<", "schema", "vConditionType", "SGRO"],
    [">SGRO<", ">DISH<", "schema", "vConditionType", "DISH"],
    // Keys
    ['aItemNo="2"', 'aItemNo="1"', "schema", "itemCounter"],
    ["<vOrderItemNumber>000030", "<vOrderItemNumber>000020", "schema", "itemNumber", "000020"],
    ["-000000000002", "-000000000001", "schema", "itemId"],
    [">ORD</vDateTimeType>", ">DOC</vDateTimeType>", "schema", "headerDate", "DOC"],
    [">SH</vAddressType>", ">SO</vAddressType>", "schema", "headerAddressType", "SO"],
    [">OVC<", ">POS<", "schema", "articleOrgData", "POS"],
    ['aCondNo="2"', 'aCondNo="1"', "schema", "headerCondition"],
    ['aCondRef="11"', 'aCondRef="99"', "schema", "headerConditionBase", "99"],
    ['aTextLineNo="2"', 'aTextLineNo="1"', "schema", "headerTextLine"],
    ["<vOrderTopLevelNo>000010", "<vOrderTopLevelNo>10", "schema", "topLevelNumber", "10"],
    ["<vOrderComposNo>000020", "<vOrderComposNo>000010", "schema", "compositeNumber", "000010"],
  ]);
  await refuses(t, quotes31, [
    ["<vGrossWeight>", "<vOrderType>SO</vOrderType><vGrossWeight>", "schema", "vOrderType"],
    ["<vPriceUnit>", "<vConditionText>List</vConditionText><vPriceUnit>", "schema", "vPriceUnit"],
    [/<hdrAddress>[\s\S]*<\/hdrAddress>/, "", "schema", "hdrAddress"],
    ['aItemType="A"', 'aItemType="X"', "schema", "aItemType", "X"],
    ['aCondArea="S"', 'aCondArea="P"', "schema", "aCondArea", "P"],
    ["<vQuoteAlterNo>000020", "<vQuoteAlterNo>20", "schema", "alternativeNumber"],
  ]);
  await refuses(t, { type: "ORDERS", version: "3.0" }, [
    ["<docArticleItem ", '<docArticleItem aIsPseudo="Y" ', "schema", "aIsPseudo"],
    ["<itmConfiguration>", '<itmConfiguration aIsVisible="Y">', "schema", "aIsVisible"],
    ["</vFolderName>", "</vFolderName><vFolderIsLOC>Y</vFolderIsLOC>", "schema", "vFolderIsLOC"],
    ["<vOrderUnit>SET</vOrderUnit>", "<vOrderUnit>SET</vOrderUnit><itmOrgData/>", "schema", "itmOrgData"],
  ]);
  await refuses(t, orders23, [
    ['<docHeader aAction="C">', "<docHeader>", "schema", "aAction"],
    ["<docItem ", '<docItem aUUID="5e11a0f2-4c1e-4f6a-9b3d-000000000001" ', "schema", "aUUID"],
    ["<hdrOrgData>", '<hdrOrgData aAction="C">', "schema", "aAction"],
    [">CNF<", ">OVC<", "schema", "vOrgDataType", "OVC"],
    [">ARTS<", ">ARTV<", "schema", "vTextType", "ARTV"],
    [">LNK<", ">XML<", "schema", "vReferenceType", "XML"],
    ["<vMeasureUnit>C62</vMeasureUnit>", "<vQuantUnit>C62</vQuantUnit>", "schema", "vQuantUnit"],
    [/docItem/g, "docArticleItem", "schema", "docArticleItem"],
    ['eAppVersion aMajor="1"', 'eAppVersion aMajor="100"', "schema", "aMajor", "100"],
  ]);
  await refuses(t, quotes23, [
    [/<hdrDateTime><vDateTimeType>DLD[\s\S]*?<\/hdrDateTime>/, "", "schema", "hdrDateTime"],
    ["<oexDocument ", '<oexDocument aFoo="" ', "schema", "aFoo"],
  ]);
});

t.test("what a document says of itself", async (t) => {
  await refuses(t, orders31, [
    [' encoding="UTF-8"', "", "xml-declaration", "UTF-8"],
    ["orders_3.1.0.xsd", "orders_3.0.0.xsd", "schema-hint", "oex-orders_3.0.0.xsd", "oex-orders_3.1.0.xsd"],
    [/ xsi:noNames\w+="[^"]*"/, "", "schema-hint", "missing"],
    ['<oexDocFrame aMajor="3"', '<oexDocFrame aMajor="2"', "frame-version", "aMajor is 2, expected 3"],
    [">ORDERS<", ">INVOICE<", "document-type", "INVOICE 3.1"],
    ['aMinor="1"', 'aMinor="7"', "document-type", "ORDERS 3.7"],
    ['aBuild="0"', 'aBuild="1"', "document-type", "aBuild is 1"],
    ['aDocumentCount="1"', 'aDocumentCount="2"', "count", "aDocumentCount is 2, expected 1"],
    ['aItemCount="6"', 'aItemCount="5"', "count", "aItemCount is 5, expected 6"],
    ['aDocNo="1"', 'aDocNo="2"', "document-count-number", "aDocNo is 2"],
    ["<oexDocFrame ", "<!DOCTYPE a><oexDocFrame ", "readable", "DOCTYPE"],
    ["</vClientNumber>", "", "readable", "not well-formed"],
    [/oexDocFrame/g, "frame", "readable", "root is frame"],
    ["<docHeader>", "<oexFile/><docHeader>", "readable", "oexFile is not allowed inside oexDocument"],
    ["<docHeader>", "<vX/><docHeader>", "item-kind", "vX"],
  ]);
});

t.test("header", async (t) => {
  await refuses(t, orders31, [
    [">DOC</vDateTimeType>", ">PRD</vDateTimeType>", "due-date", "hdrDateTime DOC"],
    ["<vTimeValue>101500</vTimeValue>", "", "document-time", "vTimeValue"],
    [
      ">CON</vDocNoType><vDocNo>RV-1",
      ">ORD</vDocNoType><vDocNo>4711",
      "document-number",
      "ORD 4711",
      "vOrderNumber",
    ],
    ["<vPaymentPart>2", "<vPaymentPart>3", "payment-part", "vPaymentPart is 3, expected 2"],
    [">4012345000009<", ">401234500000<", "number-length", "13 digits for GLN"],
  ]);
  await refuses(t, quotes31, [
    [">QUO</vDateTimeType>", ">PRD</vDateTimeType>", "due-date", "hdrDateTime QUO"],
    [/<hdrAddress>[\s\S]*<\/hdrAddress>/, "", "due-address", "hdrAddress"],
  ]);
  await refuses(t, quotes23, [
    [">DLD<", ">PRD<", "due-date", "hdrDateTime DLD"],
    [">SH</vAddressType>", ">IN</vAddressType>", "due-address", "hdrAddress SH"],
  ]);
});

t.test("values and keys of frames", async (t) => {
  const secondPhone =
    '<hdrCom><vComType aScopeInfo="B">TEL</vComType><vComValue>2</vComValue></hdrCom><hdrContact>';
  const secondText = sampleDocument(orders31).match(/<itmText>.*<\/itmText>/)?.[0] ?? "";
  await refuses(t, orders31, [
    [">Haus C<", "> Haus C<", "blanks", "vOrgDataValue", "Haus C"],
    [">Haus C<", "> <", "empty", "vOrgDataValue"],
    ["<hdrContact>", secondPhone, "key", "hdrCom TEL/B"],
    ["<hdrContact>", secondPhone, "schema", "headerAddressCommunication"],
    [secondText, secondText + secondText, "key", "itmText ARTS de"],
    [">SH</vAddressType>", ">SO</vAddressType>", "key", "hdrAddress SO"],
    [">20260228<", ">20260229<", "date", "20260229", "YYYYMMDD"],
    [">202653<", ">202654<", "date", "202654", "YYYYWW"],
    ['aDateFormat="W">202653', 'aDateFormat="C">0014', "date-base", "aDateCalcBase is missing"],
    ['aDateFormat="W"', 'aDateFormat="W" aDateCalcBase="*DIO" aDateCalcMode="+"', "date-base", "only with"],
    [
      'aDateFormat="W">202653',
      'aDateFormat="C" aDateCalcBase="LPD" aDateCalcMode="+">0014',
      "date-base",
      "LPD",
    ],
    ['aTextLineNo="2"', 'aTextLineNo="3"', "text-line-number", "aTextLineNo is 3, expected 2"],
    ['aLineFormat="\\">Bitte', 'aLineFormat="~">Bitte', "first-line", "vTextContent", "~"],
    ['aLineFormat="\\">Eiche', 'aLineFormat="~">Eiche', "first-line", "vValueText"],
    [
      ">Tisch</vTextContent>",
      '>Tisch</vTextContent><vTextContent aTextLineNo="2" aLineFormat="~">x</vTextContent>',
      "short-text",
      "2 lines",
    ],
    [">Tisch<", "> <", "blank-text", "ARTS"],
    [
      "<vOrderQuantity>",
      '<vArticleEAN aEANType="EAN-13">12345678</vArticleEAN><vOrderQuantity>',
      "number-length",
      "13 digits for EAN-13",
    ],
  ]);
});

t.test("references", async (t) => {
  await refuses(t, orders31, [
    [">iVBORw0K", ">iVBORw0K\n", "reference", "EDS image/png", "Base64 without line breaks"],
    [">iVBORw0K", ">AAAAAAAA", "reference", "expected data of image/png"],
    ['aMIMEType="text/plain">XML', 'aMIMEType="text/xml">XML', "reference", "text/plain"],
    ["<![CDATA[<a><b/></a>]]>", "&lt;a/>", "reference", "CDATA section"],
    ["<a><b/></a>", "<a><b></a>", "reference", "well-formed"],
    ["<a><b/></a>", "<a><![CDATA[x</a>", "reference", "without CDATA inside"],
    ["<a><b/></a>", '<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "reference", "ISO-8859-1"],
    ["https://www.example.org/a", "www.example.org", "reference", "complete URL"],
  ]);
  await refuses(t, orders23, [[">PGEvPg==<", ">PGE+<", "reference", "text/xml", "well-formed"]]);
  const large = changed(orders31, /(?<=>)iVBORw0K[^<]*/, `iVBORw0KGgoA${"A".repeat(9_000_000)}`);
  t.strictSame(
    (await checker.check(Buffer.from(large), { schemaLimit: 0 })).map(({ rule }) => rule),
    ["schema-skipped"],
    "a large picture",
  );
});

t.test("numbers of items", async (t) => {
  await refuses(t, orders31, [
    ['aItemNo="3"', 'aItemNo="7"', "item-count-number", "aItemNo is 7, expected 3"],
    [/(<docSetItem[\s\S]*<\/docSetItem>)\n(<docFolderItem[\s\S]*<\/docFolderItem>)/, "", "parent", "000010"],
    [/<docArticleItem aItemNo="3"[\s\S]*<\/docSetItem>/, "", "count"],
    ["<vOrderItemNumber>000030", "<vOrderItemNumber>000020", "item-number", "000020"],
    ["4c1e-4f6a-9b3d-000000000002", "4C1E-4F6A-9B3D-000000000001", "item-id", "another item"],
    ["<vOrderTopLevelNo>000010", "<vOrderTopLevelNo>10", "parent", "vOrderTopLevelNo is 10"],
    ["<vOrderTopLevelNo>000040", "<vOrderTopLevelNo>000070", "parent", "docTextItem"],
    ["<vOrderTopLevelNo>000040", "<vOrderTopLevelNo>000050", "reading-order", "000050"],
    ["<vOrderComposNo>000020", "<vOrderComposNo>000010", "composite", "docFolderItem"],
    [/<vOrderTopLevelNo>000010<\/vOrderTopLevelNo>/g, "", "empty-folder", "000010"],
    [
      "<vOrderItemNumber>000030",
      "<vPrecDocItemNo>000010</vPrecDocItemNo><vOrderItemNumber>000030",
      "preceding-item",
      "vPrecDocItemNo",
    ],
  ]);
  const set = sampleDocument(orders31).match(/<docSetItem[\s\S]*<\/docSetItem>\n/)?.[0] ?? "";
  const [beforeSet = "", afterSet = ""] = sampleDocument(orders31).split(set);
  const moved = `${beforeSet}${afterSet.replace("</oexDocument>", () => `${set}</oexDocument>`)}`;
  t.match(
    (await checker.check(Buffer.from(moved))).filter(({ rule }) => rule === "item-kind-order"),
    [{ item: "000040", message: /docSetItem comes after docTextItem/ }],
  );
  await refuses(t, quotes31, [
    ["<vQuoteAlterNo>000020", "<vQuoteAlterNo>000099", "alternative", "000099"],
    ["<vQuoteAlterNo>000020", "<vQuoteAlterNo>000060", "alternative", "itself"],
    [' aItemType="A"', "", "alternative", "vQuoteAlterNo", "standard item"],
  ]);
  await refuses(t, quotes23, [["<vQuoteAlterNo>000020</vQuoteAlterNo>", "", "alternative", "due"]]);
});

t.test("texts of items", async (t) => {
  await refuses(t, orders31, [
    [
      "<vTextType>ARTS</vTextType><vTextLanguage>de",
      "<vTextType>ARTS</vTextType><vTextLanguage>en",
      "due-short-text",
      "de",
    ],
    [
      /<docSetItem[\s\S]*?<itmText>[\s\S]*?<\/itmText>/,
      '<docSetItem aItemNo="4" aAction="C" aUUID="5e11a0f2-4c1e-4f6a-9b3d-000000000004"><vOrderItemNumber>000040</vOrderItemNumber><vOrderQuantity>1</vOrderQuantity><vOrderUnit>SET</vOrderUnit>',
      "due-short-text",
      "docSetItem",
    ],
    ['aStatus="O"', 'aStatus="M"', "modified-text", "aStatus is M"],
    [">ARTS<", ">ARTM<", "modified-text", "status O"],
  ]);
});

t.test("price lines", async (t) => {
  await refuses(t, orders31, [
    [/<itmPricing aCondNo="4"/, '<itmPricing aCondNo="40"', "condition-number", "aCondNo is 40, expected 4"],
    ['aCondRef="2" aTypeDis="D1"', 'aTypeDis="D1"', "base", "DISI", "missing"],
    ['aCondRef="2" aTypeDis="D1"', 'aCondRef="5" aTypeDis="D1"', "base", "DISI", "before"],
    ['aCondRef="5" aTypeDis="VO"', 'aCondRef="1" aTypeDis="VO"', "base", "DISH", "TGRO"],
    [
      '<vConditionType aCondArea="P">TNET',
      '<vConditionType aCondArea="P" aCondRef="1">TNET',
      "base",
      "TNET",
      "none",
    ],
    [' aTypeDis="VO"', "", "discount-type", "aTypeDis is missing"],
    ['aTypeSur="TP"', 'aTypeDis="VO"', "discount-type", "aTypeSur is missing"],
    [
      'aTypeDis="VO" aCondSign="-"',
      'aTypeDis="VO" aCondSign="+"',
      "discount-sign",
      "aCondSign is +, expected -",
    ],
    ['aTypeSur="TP" aCondSign="+"', 'aTypeSur="TP"', "discount-sign", "missing"],
    [' aTaxCode="1">TTNE', ">TTNE", "tax-code", "missing"],
    ['aCondArea="P">TOTL', 'aCondArea="P" aTaxCode="1">TOTL', "tax-code", "TOTL"],
    ['aCondRef="11"', 'aCondRef="9"', "tax-base", "tax code 2"],
    [
      "642.00</vConditionValue>",
      "642.00</vConditionValue><vConditionRate>1.00</vConditionRate>",
      "rate",
      "TNET",
      "none",
    ],
    [
      "150.00</vConditionValue>",
      "150.00</vConditionValue><vConditionRate>20.00</vConditionRate>",
      "rate",
      "DISI",
      "none",
    ],
    ["<vConditionRate>19.00</vConditionRate>", "", "rate", "TTAX", "due"],
    [
      "570.00</vConditionValue><vCondCurrency>EUR</vCondCurrency>",
      "570.00</vConditionValue><vPriceUnit>1</vPriceUnit>",
      "price-unit",
      "TNET",
    ],
    ["<vPriceUnit>1<", "<vPriceUnit>0<", "price-unit", "more than zero"],
    [
      "830.00</vConditionValue><vCondCurrency>EUR",
      "830.00</vConditionValue><vCondCurrency>USD",
      "currency",
      "USD",
      "EUR",
    ],
    ['aCondArea="P">TOTL', 'aCondArea="S">TOTL', "header-net-total", "area S"],
    ['aCondArea="P">SGRO', 'aCondArea="S">SGRO', "area-order", "after area S"],
    [/aCondArea="P">SNET/, 'aCondArea="P">TOTL', "condition-twice", "TOTL"],
    [/aCondArea="P">SNET/, 'aCondArea="P">TOTL', "condition-order", "TNET"],
    ['aTaxCode="2">TTNE', 'aTaxCode="1">TTNE', "condition-twice", "TTNE 1"],
    ['aTypeDis="SD"', 'aTypeDis="D1"', "condition-twice", "DISI D1"],
  ]);
  await refuses(t, quotes31, [
    ['aCondArea="S"', 'aCondArea="P"', "quotes-area", "aCondArea is P, expected S"],
  ]);
});

t.test("subtotals", async (t) => {
  const line = (number: number, rest: string) =>
    `<itmPricing aCondNo="${number}"><vConditionType aCondArea="P"${rest}</itmPricing>`;
  const subtotal = (number: number, value: string) =>
    line(number, `>SUBI</vConditionType><vConditionValue>${value}</vConditionValue>`);
  const discount = (number: number, base: number, value: string) =>
    line(
      number,
      ` aCondRef="${base}" aTypeDis="D2" aCondSign="-">DISI</vConditionType><vConditionValue>${value}</vConditionValue><vConditionRate>10.00</vConditionRate>`,
    );
  const withLines = (...lines: string[]) =>
    changed(orders31, /<itmPricing aCondNo="1"><vConditionType aCondArea="P">TNET.*/, lines.join(""));
  const tail = (number: number, net: string) =>
    line(number, `>SNET</vConditionType><vConditionValue>${net}</vConditionValue>`) +
    line(number + 1, ">TNET</vConditionType><vConditionValue>0.00</vConditionValue>");
  const price = line(1, ">SGRO</vConditionType><vConditionValue>100.00</vConditionValue>");
  const rules = async (text: string) => (await checker.check(Buffer.from(text))).map(({ rule }) => rule);
  const fromSubtotal = [
    price,
    discount(2, 1, "10.00"),
    subtotal(3, "90.00"),
    discount(4, 3, "9.00"),
    tail(5, "81.00"),
  ];
  const found = await rules(withLines(...fromSubtotal));
  t.notOk(found.includes("subtotal"), "a discount may be calculated from a subtotal");
  t.same(
    found.filter((rule) => rule === "schema"),
    [],
  );
  const before = [
    price,
    discount(2, 1, "10.00"),
    subtotal(3, "90.00"),
    discount(4, 1, "10.00"),
    tail(5, "80.00"),
  ];
  t.ok((await rules(withLines(...before))).includes("subtotal"), "not from before it");
  const twice = [
    price,
    discount(2, 1, "10.00"),
    subtotal(3, "90.00"),
    subtotal(4, "90.00"),
    tail(5, "90.00"),
  ];
  t.ok((await rules(withLines(...twice))).includes("subtotal"), "not two in a row");
  const wrong = [price, discount(2, 1, "10.00"), subtotal(3, "95.00"), tail(4, "90.00")];
  t.ok((await rules(withLines(...wrong))).includes("amount"), "it is what is left");
});

t.test("sums and calculations", async (t) => {
  await refuses(t, orders31, [
    [">10.00<", ">12.00<", "amount", "DISI", "expected 10.00: 5 % of 200"],
    [">190.00<", ">185.00<", "amount", "SNET", "expected 190.00"],
    ["<vOrderQuantity>3.000", "<vOrderQuantity>4.000", "amount", "TNET", "760.00"],
    [">678.30<", ">678.31<", "total", "TOTL", "expected 678.30"],
    [">108.30<", ">108.32<", "tax-amount", "TTAX", "expected 108.30"],
    [/>570.00<(?=.*\n.*108.30)/, ">569.00<", "tax-net-sum", "570"],
    [">642.00<", ">642.01<", "header-net-total", "TNET", "642.01, expected 642.00"],
    [">830.00<", ">850.00<", "header-gross-total", "TGRO", "expected 830.00"],
    [">30.00<", ">35.00<", "header-discounts", "TNET", "expected 637.00"],
    [">647.74<", ">647.75<", "amount", "TNEH", "expected 647.74"],
    [/<hdrPricing aCondNo="8">.*/, "", "header-net-after-discounts", "TNEH", "missing"],
    [">762.09<", ">762.10<", "total", "TOTL", "expected 762.09"],
    [
      />575.10<(?=\/vConditionValue><vCondCurrency>EUR<\/vCondCurrency><\/itm)/,
      ">575.11<",
      "header-net-after-discounts",
      "647.75",
    ],
    [/>575.10<(?=.*\n.*109.27)/, ">575.20<", "header-tax", "575.20", "tax code 1"],
    [/>575.10<(?=.*\n.*109.27)/, ">575.11<", "tax-net-sum", "647.75"],
    [/<hdrPricing aCondNo="11">.*\n.*aCondNo="12".*/, "", "header-tax", "tax code 2 is missing"],
    [
      /<itmPricing aCondNo="1"><vConditionType aCondArea="P">TNET.*?<\/itmPricing>/,
      "",
      "item-net-total",
      "TNET of area P",
    ],
    [/<hdrPricing.*\n/g, "", "header-net-total", "TNET of area P"],
    [/<hdrPricing.*\n/g, "", "item-net-after-discounts", "SNEH"],
    [/(?<=>5.04<\/vConditionValue><vConditionRate>)7.00/, "8.00", "tax-rate", "tax code 2 is 8"],
  ]);
  await refuses(t, quotes31, [[' aItemType="A"', "", "header-net-total", "expected 1641.00"]]);
});

t.test("the last cent of a tax may be that of a session", async (t) => {
  const text = changed(orders31, ">108.30<", ">108.31<").replace(">678.30<", ">678.31<");
  t.strictSame(await checker.check(Buffer.from(text)), []);
});

t.test("problems name item and line", async (t) => {
  const problems = await checker.check(Buffer.from(changed(orders31, ">678.30<", ">700.00<")));
  const line = changed(orders31, ">678.30<", ">700.00<")
    .split("\n")
    .findIndex((text) => text.includes(">700.00<"));
  t.match(problems, [{ rule: "total", item: "000020", line: line + 1 }]);
});

t.test("documents of any size, in pieces", async (t) => {
  const bytes = Buffer.from(sampleDocument(orders31));
  async function* pieces() {
    // Of 7 bytes: characters of several bytes are cut.
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  }
  t.strictSame(await checker.check(pieces()), []);
  t.match(await checker.check(pieces(), { schemaLimit: 1000 }), [
    {
      rule: "schema-skipped",
      message: `${bytes.length} bytes are too many to be validated against oex-orders_3.1.0.xsd`,
    },
  ]);
  const many = sampleDocument(orders31).replaceAll('aLineFormat="\\"', 'aLineFormat="~"');
  const limited = await checker.check(Buffer.from(many), { problemLimit: 2 });
  t.match(limited.at(-1), { rule: "more-problems", message: /^\d+ more problems/ });
  t.equal(limited.length, 3);
  const latin = Buffer.from(sampleDocument(orders31), "latin1");
  t.match(await checker.check(latin), [{ rule: "readable", message: "not encoded in UTF-8" }]);
});

t.test("schemas take their parts from the given files only", async (t) => {
  const files = await readSchemaFiles();
  const xs = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"';
  const including = (address: string) =>
    new Map([
      [
        "a.xsd",
        `<xs:schema ${xs}><xs:include schemaLocation="${address}"/><xs:element name="a"/></xs:schema>`,
      ],
    ]);
  await t.rejects(XmlSchema.compile("missing.xsd", files), /missing.xsd is not among the schema files/);
  await t.rejects(XmlSchema.compile("a.xsd", including("b.xsd")), /a.xsd cannot be compiled: .*b.xsd/);
  const onDisk = join(repository, "plugins", "oex", "schemas", "oex-common-codes.xsd");
  await t.rejects(XmlSchema.compile("a.xsd", including(onDisk)), /a.xsd cannot be compiled/);
  await t.rejects(XmlSchema.compile("a.xsd", including(`file://${onDisk}`)), /a.xsd cannot be compiled/);
  const schema = await XmlSchema.compile(
    "a.xsd",
    new Map([...including("b.xsd"), ["b.xsd", `<xs:schema ${xs}/>`]]),
  );
  t.strictSame(schema.validate("<a/>"), []);
  t.match(schema.validate("\n<b/>"), [{ line: 2, message: /Element 'b'/ }]);
  t.match(schema.validate("<a>"), [{ line: 1, message: /end/i }]);
  t.match(schema.validate(""), [{ message: /empty/i }]);
  schema.dispose();
});
