/** Projects whose texts are made against whatever reads them: as long as a project may have them. */
import { article, id, type Json, project } from "../../plugins/reporter-client.js";

/** Makes a text of so many characters. */
export type MakeText = (length: number) => string;

/** How long texts of several lines and of one are. */
export interface Lengths {
  block: number;
  line: number;
}

/** What the schema of projects admits. */
export const longest: Lengths = { block: 200_000, line: 4000 };
/** What a browser prints in seconds, and margins have room for. */
export const printable: Lengths = { block: 2000, line: 200 };

const repeated =
  (part: string, end = ""): MakeText =>
  (length) =>
    part.repeat(Math.floor((length - end.length) / part.length)) + end;
const between =
  (begin: string, part: string, end: string): MakeText =>
  (length) =>
    begin + repeated(part, end)(length - begin.length);

/** Texts that expressions with two loops, or one without a beginning of its own, read again and again. */
const plain: MakeText[] = [
  repeated(" ", "x"),
  between("x", " \t", "x"),
  between("x", "\n", "x"),
  repeated(" \n", "x"),
  repeated("\r", "x"),
  between("src=", " ", "x"),
  between('href = "', " ", "x"),
  repeated("url( "),
  repeated("<"),
  repeated("<!--"),
  repeated("<meta http-equiv "),
  between("http-equiv=", " ", "x"),
  repeated("<html "),
  repeated("&#1"),
  repeated("."),
  repeated(". ", "x"),
  between("x", "-", "x"),
  repeated("'", "x"),
  repeated('"'),
  repeated("0", "x"),
  repeated("://"),
  repeated("a:1"),
  repeated("\u0301"),
  repeated("_x0041"),
  repeated("]]>"),
];

const byFormat: Record<string, MakeText[]> = {
  html: [
    repeated("<"),
    repeated("<!"),
    repeated(" \n", "x"),
    repeated("<script></script>"),
    repeated("</p>"),
    repeated("<p>a"),
    repeated("<p title='"),
    repeated("<style>"),
    repeated("&amp"),
  ],
  iml: [
    between("<iml>", "<p>a</p>", "</iml>"),
    between("<iml>", "&#32;", "</iml>"),
    between("<iml>", "<br/>\n", "</iml>"),
    repeated("<p>"),
    between("<iml", " ", "></iml>"),
  ],
  xml: [
    between("<a>", "<![CDATA[ ]]>", "</a>"),
    between("<a>", "<!-- -->", "</a>"),
    between("<a>", " ", "</a>"),
    between("<a b='", " ", "'>x</a>"),
  ],
  json: [
    between('[""', ',{"type":"p","text":" "}', "]"),
    between('{"text":"', "\\n", 'x"}'),
    between("[", " ", "]"),
    repeated("["),
  ],
};

const ordinary: MakeText = (length) => "Oak, natural oil; graphite frame.\n".repeat(length / 34);

/** A project with such texts in all fields that have any, or, to compare with, with ordinary ones of the same length. */
export function longProject(isHostile: boolean, lengths: Lengths): Json {
  const texts = Object.entries({ plain, ...byFormat }).flatMap(([format, list]) =>
    list.map((make) => [{ lang: "en", format, value: make(lengths.block) }]),
  );
  const given = isHostile
    ? texts
    : texts.map(() => [{ lang: "en", format: "plain", value: ordinary(lengths.block) }]);
  const lines = (isHostile ? plain : plain.map(() => ordinary)).map((make) => make(lengths.line));
  const line = turns(lines);
  const text = turns(given);
  const names = (): Json[] => [{ lang: "en", value: line() }];
  const described = (): Json => ({ shortText: names(), longText: text(), featureText: names() });
  const items = [
    ...given.map((value, index) => ({ type: "text", id: id(1000 + index), text: value, longText: names() })),
    ...lines.map((_, index) => ({
      ...article(index + 1, "10.00"),
      manufacturerId: line(),
      seriesId: line(),
      baseArticleNumber: line(),
      variantCode: line(),
      ofmlVariantCode: line(),
      productDescription: described(),
      userDescription: { shortText: names() },
      features: [{ name: line(), value: line(), nameText: names(), valueText: names(), visible: true }],
      properties: [{ className: line(), name: line(), value: line() }],
      fields: { [id(500)]: line() },
      customTexts: [{ id: "71", text: names(), visible: true }],
      updateState: line(),
    })),
  ];
  return project([{ type: "folder", id: id(900), name: names(), longText: text(), children: items }], {
    header: {
      name: line(),
      number: line(),
      description: line(),
      customerRemarks: line(),
      externalReferenceNumber: line(),
      externalReferenceText: line(),
      company: line(),
      personInCharge: line(),
      createdBy: line(),
      keywords: lines,
      headerText: text(),
      footerText: text(),
    },
    addresses: ["SoldTo", "ShipTo", "BillTo", "InCharge"].map((addressType) => ({
      addressType,
      name1: line(),
      name2: line(),
      street: line(),
      postalCode: line(),
      location: line(),
      countryCode: line(),
      taxCode: line(),
      commAddresses: [{ value: line(), type: "EMail", scope: "Business" }],
    })),
  });
}

/** One after another, and from the beginning again. */
function turns<T>(values: readonly T[]): () => T {
  let turn = 0;
  return () => {
    const value = values[turn++ % values.length];
    if (value === undefined) throw new Error("There are none.");
    return value;
  };
}
