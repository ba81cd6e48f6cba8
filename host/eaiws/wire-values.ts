/** Texts, amounts and dates as the session service writes them, and as documents have them. */
import {
  type Amount,
  plainText,
  type Quantity,
  type Static,
  type Text,
  type Texts,
  Type,
} from "@slipway/sdk";
import { attribute, content } from "../soap/soap.js";
import { closed } from "./soap-operation.js";

export const WireFormat = Type.Enum(["None", "IML", "XML", "JSON", "HTML", "Plain"]);
export type WireFormat = Static<typeof WireFormat>;
const wireFormat = Type.Enum(WireFormat.enum, attribute);

/** Names of formats in documents; those without one are plain. */
const documentFormats: Readonly<Record<WireFormat, Text["format"]>> = {
  None: undefined,
  IML: "iml",
  XML: "xml",
  JSON: "json",
  HTML: "html",
  Plain: "plain",
};

/** A text of the project. */
export const FormattedText = Type.Object(
  {
    value: Type.String(content),
    language: Type.Optional(Type.String(attribute)),
    format: Type.Optional(wireFormat),
  },
  closed,
);
export type FormattedText = Static<typeof FormattedText>;

/** A text of an item. */
export const DisplayText = Type.Object(
  {
    value: Type.String(content),
    lang: Type.Optional(Type.String(attribute)),
    format: Type.Optional(wireFormat),
  },
  closed,
);

/** Texts of an item; the list has an element around it. */
export const DisplayTexts = Type.Object({ text: Type.Array(DisplayText) }, closed);

export const WireQuantity = Type.Object(
  { value: Type.String(attribute), unit: Type.String(attribute) },
  closed,
);
export const WireMoney = Type.Object(
  { value: Type.String(attribute), currency: Type.String(attribute) },
  closed,
);

/** The amount of a price line; its type says which kind it is. */
export const WireAmount = Type.Object(
  {
    "xsi:type": Type.String(attribute),
    value: Type.String(attribute),
    currency: Type.Optional(Type.String(attribute)),
    unit: Type.Optional(Type.String(attribute)),
  },
  closed,
);

export function wireAmount(amount: Amount): Static<typeof WireAmount> {
  const { value } = amount;
  switch (amount.kind) {
    case "money":
      return { "xsi:type": "ns2:Money", value, currency: amount.currency };
    case "percentage":
      return { "xsi:type": "ns2:Percentage", value };
    case "quantity":
      return { "xsi:type": "ns2:Quantity", value, unit: amount.unit };
  }
}

/** Nothing for a missing quantity. */
export function wireQuantity(quantity: Quantity | undefined): Quantity | undefined {
  return quantity && { value: quantity.value, unit: quantity.unit };
}

/** A text of a client; one without a language counts for all. */
export function documentText({ value, language, format = "None" }: FormattedText): Text {
  const known = documentFormats[format];
  return {
    lang: language === undefined || language === "" ? "und" : language,
    value,
    ...(known === undefined ? {} : { format: known }),
  };
}

/** A text in the format that a client asks for, where it can be converted; otherwise in its own. */
function converted(text: Text, wanted: WireFormat | undefined): { value: string; format: WireFormat } {
  const own = WireFormat.enum.find((each) => documentFormats[each] === text.format) ?? "None";
  if (wanted === "Plain" && own !== "Plain") return { value: readable(text), format: "Plain" };
  if (wanted === "HTML" && own !== "HTML") return { value: asHtml(readable(text)), format: "HTML" };
  return { value: text.value, format: own };
}

/** A text whose markup is broken stays as it is. */
function readable(text: Text): string {
  try {
    return plainText(text);
  } catch {
    return text.value;
  }
}

function asHtml(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replaceAll("\n", "<br/>");
}

export function formattedTexts(texts: Texts | undefined, wanted?: WireFormat): FormattedText[] {
  return (texts ?? []).map((text) => ({ ...converted(text, wanted), language: text.lang }));
}

/** Nothing for no texts. */
export function displayTexts(
  texts: Texts | undefined,
  wanted?: WireFormat,
): Static<typeof DisplayTexts> | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  return { text: texts.map((text) => ({ ...converted(text, wanted), lang: text.lang })) };
}

const dayPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}";
/** A day, possibly with a time or zone, which does not count. */
export const WireDay = Type.String({ pattern: `${dayPattern}([T+Z-].*)?$`, maxLength: 40, ...attribute });
/** A moment; one without a zone is in UTC. */
export const WireMoment = Type.String({
  pattern: `${dayPattern}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?(Z|[+-][0-9]{2}:[0-9]{2})?$`,
  maxLength: 40,
  ...attribute,
});

export function documentDay(day: string): string {
  return day.slice(0, 10);
}

/** In UTC; undefined for a moment that does not exist. */
export function documentMoment(moment: string): string | undefined {
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(moment.slice(10));
  const time = moment.length > 10 ? moment : `${moment}T00:00:00`;
  const date = new Date(hasZone ? time : `${time}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
