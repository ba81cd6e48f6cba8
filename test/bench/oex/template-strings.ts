/**
 * The benchmark's document put together by hand, without a writer: what somebody does who has only this document. Uses the
 * part itself, for the types of what its writer takes.
 */
import type {
  Configuration,
  OexArticle,
  OexDocument,
  OexText,
  OrganisationalDatum,
  PricingLine,
} from "../../../plugins/oex/document/oex-document.js";

const pieceLength = 65_536;

export async function* writeTemplateStrings(document: OexDocument): AsyncGenerator<string> {
  let text = begin(document);
  let number = 0;
  for await (const item of document.items) {
    number += 1;
    if (item.kind === "article") text += article(item, number);
    if (text.length < pieceLength) continue;
    yield text;
    text = "";
  }
  yield `${text}</oexDocument></oexFile></oexDocFrame>`;
}

const special = /[&<>]/;

/** Codes and numbers need no escaping, everything else does. */
function escaped(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function begin({ application, header, itemCount }: OexDocument): string {
  const [date] = header.dates;
  return `<?xml version="1.0" encoding="UTF-8"?><oexDocFrame aMajor="3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="oex-orders_3.1.0.xsd"><oexApplication><vAppName>${escaped(application.name)}</vAppName><eAppVersion aMajor="${application.major}" aMinor="${application.minor}"/></oexApplication><oexFile aDocumentCount="1"><vDocumentType aMajor="3" aMinor="1" aBuild="0">ORDERS</vDocumentType><oexDocument aDocNo="1" aItemCount="${itemCount}" aAction="C"><docHeader><vOrderNumber>${escaped(header.number)}</vOrderNumber><vClientNumber>${escaped(header.clientNumber)}</vClientNumber><vVendorNumber>${escaped(header.vendorNumber)}</vVendorNumber><vDocCurrency>${header.currency}</vDocCurrency><vPartialDelivery>${header.partialDelivery === true ? "Y" : "N"}</vPartialDelivery><vDocLanguage aLocale="${header.language.country}">${header.language.code}</vDocLanguage><hdrDateTime><vDateTimeType>${date?.type}</vDateTimeType><vTimeZone>${date?.timeZone}</vTimeZone><vDateValue aDateFormat="${date?.format}">${date?.value}</vDateValue><vTimeValue>${date?.time}</vTimeValue></hdrDateTime></docHeader>`;
}

function article(item: OexArticle, number: number): string {
  let text = `<docArticleItem aItemNo="${number}" aAction="C" aUUID="${item.id}"><vOrderItemNumber>${item.itemNumber}</vOrderItemNumber><vOrderTopLevelNo>${item.topLevelNumber}</vOrderTopLevelNo><vVendorArticleNo aStatus="${item.status}">${escaped(item.articleNumber)}</vVendorArticleNo><vVendorID>${item.vendor}</vVendorID><vVendorSeries>${item.series}</vVendorSeries><vCatalogId>${item.catalogId}</vCatalogId><vOrderQuantity>${item.quantity}</vOrderQuantity><vOrderUnit>${item.unit}</vOrderUnit>`;
  for (const { system, value } of item.classifications) {
    text += `<vClassification aClassSystem="${system}">${escaped(value)}</vClassification>`;
  }
  for (const feature of item.configurations) text += configuration(feature);
  for (const datum of item.organisation) text += organisation(datum);
  for (const block of item.texts) text += textBlock(block);
  for (const [index, line] of item.pricing.entries()) text += pricing(line, index + 1);
  return `${text}</docArticleItem>`;
}

function configuration(feature: Configuration): string {
  let text = `<itmConfiguration aIsVisible="${feature.visible ? "Y" : "N"}"><vClassID>${escaped(feature.classId ?? "")}</vClassID><vOptionID>${escaped(feature.optionId)}</vOptionID><vValueID>${escaped(feature.valueId)}</vValueID>`;
  for (const { language, option, value } of feature.texts) {
    text += `<itmConfigText><vTextLanguage>${language.code}</vTextLanguage><vOptionText>${escaped(option)}</vOptionText>`;
    for (const [index, line] of value.entries()) {
      text += `<vValueText aTextLineNo="${index + 1}" aLineFormat="${line.format}">${escaped(line.text)}</vValueText>`;
    }
    text += "</itmConfigText>";
  }
  return `${text}</itmConfiguration>`;
}

function organisation({ type, value }: OrganisationalDatum): string {
  return `<itmOrgData><vOrgDataType>${type}</vOrgDataType><vOrgDataValue>${escaped(value)}</vOrgDataValue></itmOrgData>`;
}

function textBlock({ type, language, lines }: OexText): string {
  let text = `<itmText><vTextType>${type}</vTextType><vTextLanguage>${language.code}</vTextLanguage>`;
  for (const [index, line] of lines.entries()) {
    text += `<vTextContent aTextLineNo="${index + 1}" aLineFormat="${line.format}">${escaped(line.text)}</vTextContent>`;
  }
  return `${text}</itmText>`;
}

function pricing(line: PricingLine, number: number): string {
  const base = line.base === undefined ? "" : ` aCondRef="${line.base}"`;
  const kind = line.kind === undefined ? "" : ` aTypeDis="${line.kind}" aCondSign="${line.sign}"`;
  const tax = line.taxCode === undefined ? "" : ` aTaxCode="${line.taxCode}"`;
  const rate = line.rate === undefined ? "" : `<vConditionRate>${line.rate}</vConditionRate>`;
  const text = line.text === undefined ? "" : `<vConditionText>${escaped(line.text)}</vConditionText>`;
  const units =
    line.priceUnit === undefined
      ? ""
      : `<vPriceUnit>${line.priceUnit}</vPriceUnit><vQuantUnit>${line.quantityUnit}</vQuantUnit>`;
  return `<itmPricing aCondNo="${number}"><vConditionType aCondArea="${line.area}"${base}${kind}${tax}>${line.type}</vConditionType><vConditionValue>${line.value}</vConditionValue>${rate}<vCondCurrency>${line.currency}</vCondCurrency>${text}${units}</itmPricing>`;
}
