/** Small, valid OEX documents of all types and versions, as text that tests change. Prices: OEX reference, 15.6. */
import type { OexFormat } from "./oex-formats.js";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Line {
  type: string;
  value: string;
  /** Attributes of the type beside the area. */
  attributes?: string;
  rate?: string;
  text?: string;
  /** Has a price unit and a quantity unit. */
  unit?: true;
}

const articleA: Line[] = [
  { type: "SGRO", value: "250.00", unit: true },
  {
    type: "DISI",
    value: "50.00",
    rate: "20.00",
    attributes: 'aCondRef="1" aTypeDis="BD" aCondSign="-"',
    text: "Basic",
  },
  { type: "DISI", value: "10.00", rate: "5.00", attributes: 'aCondRef="2" aTypeDis="D1" aCondSign="-"' },
  { type: "SNET", value: "190.00", unit: true },
  { type: "TNET", value: "570.00" },
  { type: "TTNE", value: "570.00", attributes: 'aTaxCode="1"' },
  { type: "TTAX", value: "108.30", rate: "19.00", attributes: 'aCondRef="6" aTaxCode="1"' },
  { type: "TOTL", value: "678.30" },
  { type: "SNEH", value: "191.70", unit: true },
  { type: "TNEH", value: "575.10" },
];
const articleB: Line[] = [
  { type: "SGRO", value: "40.00", unit: true },
  { type: "DISI", value: "4.00", attributes: 'aCondRef="1" aTypeDis="SD" aCondSign="-"' },
  { type: "SNET", value: "36.00", unit: true },
  { type: "TNET", value: "72.00" },
  { type: "TTNE", value: "72.00", attributes: 'aTaxCode="2"' },
  { type: "TTAX", value: "5.04", rate: "7.00", attributes: 'aCondRef="5" aTaxCode="2"' },
  { type: "TOTL", value: "77.04" },
  { type: "SNEH", value: "36.32", unit: true },
  { type: "TNEH", value: "72.64" },
];
const header: Line[] = [
  { type: "TGRO", value: "830.00" },
  { type: "DISI", value: "150.00", attributes: 'aCondRef="1" aTypeDis="BD" aCondSign="-"' },
  { type: "DISI", value: "30.00", attributes: 'aCondRef="1" aTypeDis="D1" aCondSign="-"' },
  { type: "DISI", value: "8.00", attributes: 'aCondRef="1" aTypeDis="SD" aCondSign="-"' },
  { type: "TNET", value: "642.00" },
  { type: "DISH", value: "19.26", rate: "3.00", attributes: 'aCondRef="5" aTypeDis="VO" aCondSign="-"' },
  { type: "SURH", value: "25.00", attributes: 'aCondRef="6" aTypeSur="TP" aCondSign="+"' },
  { type: "TNEH", value: "647.74" },
  { type: "TTNE", value: "575.10", attributes: 'aTaxCode="1"' },
  { type: "TTAX", value: "109.27", rate: "19.00", attributes: 'aCondRef="9" aTaxCode="1"' },
  { type: "TTNE", value: "72.64", attributes: 'aTaxCode="2"' },
  { type: "TTAX", value: "5.08", rate: "7.00", attributes: 'aCondRef="11" aTaxCode="2"' },
  { type: "TOTL", value: "762.09" },
];

/**
 * A folder with article A, its composite sub article C without a price and a set with article B; then a text.
 * Quotations have an alternative to A as well. 2.3 has the articles only.
 */
export function sampleDocument(format: OexFormat): string {
  const items = itemsOf(format);
  const { type, version } = format;
  const [major, minor] = version.split(".");
  return `<?xml version="1.0" encoding="UTF-8"?>
<oexDocFrame aMajor="${major}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="oex-${type.toLowerCase()}_${version}.0.xsd">
<oexApplication><vAppName>Test</vAppName><eAppVersion aMajor="1" aMinor="0"/></oexApplication>
<oexFile aDocumentCount="1">
<vDocumentType aMajor="${major}" aMinor="${minor}" aBuild="0">${type}</vDocumentType>
<oexDocument aDocNo="1" aItemCount="${items.length}" aAction="C">
${headerOf(format)}
${items.join("\n")}
</oexDocument>
</oexFile>
</oexDocFrame>
`;
}

function headerOf(format: OexFormat): string {
  const isOrder = format.type === "ORDERS";
  const day = (code: string, time = "") =>
    `<hdrDateTime><vDateTimeType>${code}</vDateTimeType><vTimeZone>+0100</vTimeZone><vDateValue aDateFormat="D">20260228</vDateValue>${time}</hdrDateTime>`;
  const address = (code: string) => `<hdrAddress>
<vAddressType>${code}</vAddressType>
<vName1>Linden GmbH</vName1><vStreet>Allee 1</vStreet><vCountryCode>DE</vCountryCode>
<vPostalCode>12345</vPostalCode><vLocation>Musterstadt</vLocation>
<hdrCom><vComType aScopeInfo="B">TEL</vComType><vComValue>+49 30 1</vComValue></hdrCom>
<hdrContact><vContactType>EM</vContactType><vLastName>Probst</vLastName></hdrContact>
</hdrAddress>`;
  return `<docHeader${format.version === "2.3" ? ' aAction="C"' : ""}>
<${isOrder ? "vOrderNumber" : "vQuoteNumber"}>4711</${isOrder ? "vOrderNumber" : "vQuoteNumber"}>
<vClientNumber>20418</vClientNumber><vClientID aBusPartIDType="GLN">4012345000009</vClientID>
<vVendorNumber>700312</vVendorNumber>
<vDocCurrency>EUR</vDocCurrency>
<vIncoTerm>DDP</vIncoTerm><vIncoTermLocation>Musterstadt</vIncoTermLocation>
${isOrder ? "<vPartialDelivery>Y</vPartialDelivery>" : ""}<vDocLanguage aLocale="DE">de</vDocLanguage>${isOrder ? "<vOrderType>SO</vOrderType>" : ""}
<vGrossWeight>12.500</vGrossWeight><vUnitWeight>KGM</vUnitWeight><vVolume>1.000</vVolume><vUnitVolume>MTQ</vUnitVolume>
<hdrDocNo><vDocNoType aDocContext="R">CON</vDocNoType><vDocNo>RV-1</vDocNo></hdrDocNo>
${day("DOC", "<vTimeValue>101500</vTimeValue>")}
${isOrder ? day("ORD") : day("QUO") + day("DLD")}
<hdrOrgData><vOrgDataType>COM</vOrgDataType><vOrgDataValue>Haus C</vOrgDataValue></hdrOrgData>
${address("SO")}
${address("SH")}
<hdrText><vTextType>HEAD</vTextType><vTextLanguage>de</vTextLanguage>
<vTextContent aTextLineNo="1" aLineFormat="\\">Bitte</vTextContent><vTextContent aTextLineNo="2" aLineFormat="~"> pünktlich</vTextContent></hdrText>
<hdrReference><vReferenceType aMIMEType="application/pdf">ATT</vReferenceType><vReferenceValue>a.pdf</vReferenceValue><vReferenceDesc>PDF</vReferenceDesc></hdrReference>
${pricing("hdr", header, format)}
<hdrPayment><vPaymentPart>1</vPaymentPart><vPaymentRate>2.00</vPaymentRate><vPaymentDays>14</vPaymentDays></hdrPayment>
<hdrPayment><vPaymentPart>2</vPaymentPart><vPaymentRate>0.00</vPaymentRate><vPaymentDays>30</vPaymentDays></hdrPayment>
</docHeader>`;
}

function itemsOf(format: OexFormat): string[] {
  const { type, version } = format;
  const prefix = type === "ORDERS" ? "vOrder" : "vQuote";
  const isOld = version === "2.3";
  let count = 0;
  const item = (name: string, number: string, parent: string, content: string, attributes = "") => {
    count += 1;
    const id = isOld ? "" : ` aUUID="5e11a0f2-4c1e-4f6a-9b3d-00000000000${count}"`;
    const top = parent === "" ? "" : `<${prefix}TopLevelNo>${parent}</${prefix}TopLevelNo>`;
    return `<${name} aItemNo="${count}" aAction="C"${id}${attributes}>
<${prefix}ItemNumber>${number}</${prefix}ItemNumber>${top}${content}</${name}>`;
  };
  const article = (
    number: string,
    parent: string,
    before: string,
    quantity: string,
    after: string,
    attributes = "",
  ) =>
    item(
      isOld ? "docItem" : "docArticleItem",
      number,
      isOld && parent !== "000020" ? "" : parent,
      `${before}
<vVendorArticleNo aStatus="O">TZ-${number}</vVendorArticleNo><vVendorID>FHM</vVendorID><vVendorSeries>TZ1</vVendorSeries>
<${prefix}Quantity>${quantity}</${prefix}Quantity><${prefix}Unit>C62</${prefix}Unit>
${after}`,
      attributes,
    );
  const composite = `<${prefix}ComposNo>000020</${prefix}ComposNo><${prefix}SubArtId>KW1</${prefix}SubArtId>`;
  const articles = [
    article("000020", isOld ? "" : "000010", "", "3.000", richContent(format)),
    article(
      "000030",
      "000020",
      composite,
      "1.000",
      shortText + pricing("itm", [{ type: "TNET", value: "0.00" }], format),
    ),
    article("000050", "000040", "", "2.000", shortText + pricing("itm", articleB, format)),
  ];
  if (type === "QUOTES") {
    const price = pricing("itm", [{ type: "TNET", value: "999.00" }], format);
    const attribute = isOld ? ' aItemTypeVendor="A"' : ' aItemType="A"';
    const alternative = "<vQuoteAlterNo>000020</vQuoteAlterNo>";
    articles.push(article("000060", "", alternative, "1.000", shortText + price, attribute));
  }
  if (isOld) return articles;
  const quantity = `<${prefix}Quantity>1.000</${prefix}Quantity><${prefix}Unit>SET</${prefix}Unit>`;
  const setPosition = version === "3.1" ? orgData("POS", "2") : "";
  return [
    ...articles,
    item("docSetItem", "000040", "000010", `${quantity}${setPosition}${shortText}`),
    item("docFolderItem", "000010", "", "<vFolderName>Raum</vFolderName>"),
    item("docTextItem", "000070", "", "<vItemName>Hinweis</vItemName>"),
  ];
}

const shortText = `<itmText><vTextType>ARTS</vTextType><vTextLanguage>de</vTextLanguage><vTextContent aTextLineNo="1" aLineFormat="\\">Tisch</vTextContent></itmText>`;

function orgData(code: string, value: string): string {
  return `<itmOrgData><vOrgDataType>${code}</vOrgDataType><vOrgDataValue>${value}</vOrgDataValue></itmOrgData>`;
}

function richContent(format: OexFormat): string {
  const isOld = format.version === "2.3";
  const visible = format.version === "3.1" ? ' aIsVisible="Y"' : "";
  const reference = (code: string, mediaType: string, value: string) =>
    `<itmReference><vReferenceType aMIMEType="${mediaType}">${code}</vReferenceType><vReferenceValue>${value}</vReferenceValue><vReferenceDesc>OBX</vReferenceDesc></itmReference>`;
  return `<vClassification aClassSystem="ECLASS-11.0">25020101</vClassification>
<itmConfiguration${visible}><vClassID>TISCH</vClassID><vOptionID>PLATTE</vOptionID><vValueID>EI1</vValueID>
<itmConfigText><vTextLanguage>de</vTextLanguage><vOptionText>Platte</vOptionText><vValueText aTextLineNo="1" aLineFormat="\\">Eiche</vValueText></itmConfigText>
</itmConfiguration>
<itmDateTime><vDateTimeType>CRD</vDateTimeType><vTimeZone>+0100</vTimeZone><vDateValue aDateFormat="W">202653</vDateValue></itmDateTime>
${orgData("POS", "1.1")}${isOld ? orgData("CNF", "K2") : orgData("OVC", "K2")}
${shortText}
${reference("EDS", "image/png", pixel)}
${isOld ? reference("EDS", "text/xml", "PGEvPg==") : reference("XML", "text/plain", "<![CDATA[<a><b/></a>]]>")}
${reference("LNK", "text/html", "https://www.example.org/a")}
${pricing("itm", articleA, format)}`;
}

function pricing(prefix: "hdr" | "itm", lines: readonly Line[], { type, version }: OexFormat): string {
  const area = type === "ORDERS" ? "P" : "S";
  const unitName = version === "2.3" ? "vMeasureUnit" : "vQuantUnit";
  return lines
    .map(({ type: code, value, attributes, rate, text, unit }, index) => {
      const name = `vConditionType aCondArea="${area}"${attributes === undefined ? "" : ` ${attributes}`}`;
      return `<${prefix}Pricing aCondNo="${index + 1}"><${name}>${code}</vConditionType><vConditionValue>${value}</vConditionValue>${
        rate === undefined ? "" : `<vConditionRate>${rate}</vConditionRate>`
      }<vCondCurrency>EUR</vCondCurrency>${text === undefined ? "" : `<vConditionText>${text}</vConditionText>`}${
        unit === undefined ? "" : `<vPriceUnit>1</vPriceUnit><${unitName}>C62</${unitName}>`
      }</${prefix}Pricing>`;
    })
    .join("\n");
}
