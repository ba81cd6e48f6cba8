/**
 * What an export makes of request, configuration and project header: numbers, dates, addresses, texts, file names. Tested by
 * itself: each value is seen, with its repair, apart from the rest of a document.
 */
import assert from "node:assert/strict";
import { builtInColumns, checked, type Suppression, Validator } from "@slipway/sdk";
import fc from "fast-check";
import t from "tap";
import { globalLocationNumber } from "../../plugins/oex/addresses/chosen-addresses.js";
import {
  defaultConfiguration,
  type ExportConfiguration,
  exportSettings,
  PluginSettings,
} from "../../plugins/oex/configuration/export-configuration.js";
import type { OexArticle } from "../../plugins/oex/document/oex-document.js";
import { CollectedRepairs } from "../../plugins/oex/repair/collected-repairs.js";
import { codeForms, FieldRepairs, type Repairs, splitAtBlanks } from "../../plugins/oex/repair/repairs.js";
import {
  createContext,
  ExportRequest,
  readConfiguration,
  readLogoImage,
} from "../../plugins/oex/request/create-context.js";
import { checkManufacturers } from "../../plugins/oex/selection/manufacturers.js";
import { writeOexDocument } from "../../plugins/oex/writing/write-document.js";
import { createOexChecker } from "./oex-checking-support.js";
import { address, type HeaderSetup, made, refusal, settings } from "./oex-header-support.js";
import { id, project } from "./oex-items-support.js";
import { procedure } from "./oex-pricing-support.js";

const sessionId = id(1);

t.test("the plugin's settings have defaults and a time zone that exists", (t) => {
  const check = new Validator().compile(PluginSettings, "config");
  const usual = checked(check({}), "settings");
  t.strictSame(exportSettings(usual, "3.14.15"), {
    applicationName: "Slipway",
    applicationVersion: { major: "3", minor: "14" },
    manufacturerCodes: {},
    seriesCodes: {},
    timeZone: "UTC",
    validate: false,
    validateLimit: 20_000_000,
  });
  const own = { ...usual, applicationVersion: { major: "7", minor: "2" }, timeZone: "Europe/Berlin" };
  t.strictSame(exportSettings(own, "1.0.0"), own);
  for (const timeZone of ["Europe/Nowhere", "+01:00", "", "UTC; DROP"]) {
    t.throws(() => exportSettings({ ...usual, timeZone }, "1.0.0"), {
      message: `\`timeZone\` must be the IANA name of a time zone such as "Europe/Berlin", but is ${JSON.stringify(timeZone)}`,
    });
  }
  t.equal(check({ timeZone: "UTC", language: "de" }).ok, false);
  t.end();
});

t.test("the default configuration has exactly the documented fields", (t) => {
  const truthy = [
    ...["attachOBX", "attachOEX", "calculationPurchase", "calculationSales", "exportAlternativeArticles"],
    ...["exportFolders", "exportInvisibleFeatures", "exportRoomInformation", "exportSetArticle"],
    ...["exportTextArticles", "structuralInformation"],
  ];
  const falsy = [
    ...["attachPDF", "dealerAsSGR", "exportImages", "featureInARTL", "hideDiscounts", "hideHeaderDiscounts"],
    ...["hidePurchaseDiscounts", "hideSalesDiscounts", "identicateUser", "ignoreITEMText", "refNumber"],
    ...["splitDocumentByManufacturers", "useSalesOrgAsFilePrefix", "useSCOrderInfo", "useShipToCode"],
    "versionInOrder",
  ];
  const empty = [
    ...["manufacturerId", "additionalAgreement", "archiveFilename", "clientILN", "clientNo", "commission"],
    ...["conditionNo", "delivery", "dispatchNotes", "docNumber", "obxFilename", "oexFilename", "orderInfo"],
    ...[
      "orderType",
      "pdfFilename",
      "pdfLogoImage",
      "projectNumber",
      "projectUserName",
      "reporterTemplateKey",
    ],
    ...["salesGroup", "salesOrganisation", "shipToCode", "vendorILN", "vendorNo"],
  ];
  const all = (names: string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  const expected = {
    ...all(truthy, true),
    ...all(falsy, false),
    ...all(empty, null),
    documentType: "ORDERS",
    oexVersion: "3.0",
    additionalTextId: "@add",
    specialModelInfoTextId: "71",
    appName: "Slipway",
    appVersion: { aMajor: "1", aMinor: "4" },
    addresses: [],
    manufacturerIds: [],
  };
  const first = defaultConfiguration(settings);
  t.strictSame(first, expected);
  first.addresses.push(address("SoldTo"));
  first.appVersion.aMajor = "9";
  t.strictSame(defaultConfiguration(settings), expected, "each one is new");
  t.end();
});

t.test("a request", (t) => {
  const check = new Validator().compile(ExportRequest, "body");
  const told: string[] = [];
  const suppress = ({ message }: Suppression): number => told.push(message);
  const read = (config: unknown) => {
    const request = checked(check({ sessionId, config }), "The request is not valid");
    return readConfiguration(request.config, defaultConfiguration(settings), suppress);
  };

  t.test("has defaults", (t) => {
    t.strictSame(check({ sessionId }), {
      ok: true,
      value: {
        sessionId,
        calculationScheme: "STDB2B_WBK",
        preferredImageColumn: builtInColumns.articleImage,
        imageOptions: [],
        templateOptions: {},
      },
    });
    t.equal(builtInColumns.articleImage, "73bd68f4-da62-11d8-b9d6-00e081513ada");
    t.strictSame(
      readConfiguration(undefined, defaultConfiguration(settings), suppress),
      defaultConfiguration(settings),
    );
    t.strictSame(read({}), defaultConfiguration(settings));
    t.end();
  });

  t.test("gives members of the configuration, each as a whole", (t) => {
    const usual = defaultConfiguration(settings);
    const given = { attachOBX: false, appVersion: { aMajor: "2", aMinor: "0" }, manufacturerIds: ["A"] };
    t.strictSame(read(given), { ...usual, ...given });
    t.strictSame(read({ clientNo: null, docNumber: "" }), { ...usual, docNumber: "" });
    t.strictSame(read(usual), usual, "what config.json answers may be sent back");
    t.end();
  });

  t.test("keeps members that there are, and tells of the others", (t) => {
    told.length = 0;
    const usual = defaultConfiguration(settings);
    const sold = { addressType: "SoldTo", name1: "Ada" };
    const reached = { ...sold, commAddresses: [{ type: "Phone", scope: "Business", value: "1" }] };
    const given = {
      attachPdf: true,
      unit: 1,
      addresses: [
        { ...sold, city: "B" },
        {
          ...reached,
          commAddresses: [{ ...reached.commAddresses[0], ext: "2" }],
          contacts: [{ id: 1, age: 3 }],
        },
      ],
      appVersion: { aMajor: "1", aMinor: "2", aPatch: "3" },
    };
    t.strictSame(read(given), {
      ...usual,
      addresses: [sold, { ...reached, contacts: [{ id: 1 }] }],
      appVersion: { aMajor: "1", aMinor: "2" },
    });
    t.strictSame(told, [
      '`config` has no member "attachPdf", which was ignored. Did you mean "attachPDF"?',
      '`config` has no member "unit", which was ignored. GET config.json lists all members.',
      told[2],
      '`config.addresses[1].commAddresses[0]` has no member "ext", which was ignored. It has value, type, scope.',
      told[4],
      '`config.appVersion` has no member "aPatch", which was ignored. It has aMajor, aMinor.',
    ]);
    t.match(
      told[2],
      /^`config\.addresses\[0\]` has no member "city", which was ignored\. It has addressType, /,
    );
    t.match(
      told[4],
      /^`config\.addresses\[1\]\.contacts\[0\]` has no member "age", which was ignored\. It has id, /,
    );
    t.end();
  });

  t.test("is refused where a member is of the wrong form", (t) => {
    const wrong: [unknown, RegExp][] = [
      [{ attachPDF: null }, /body\.config\.attachPDF` must be a boolean, but is null/],
      [{ documentType: "ORDER" }, /body\.config\.documentType` must be one of "ORDERS", "QUOTES"/],
      [{ oexVersion: "4.0" }, /body\.config\.oexVersion` must be one of "3\.1", "3\.0", "2\.3"/],
      [{ clientNo: 5 }, /body\.config\.clientNo` must be a string or null, but is 5/],
      [{ appVersion: { aMajor: "1" } }, /body\.config\.appVersion\.aMinor` is missing/],
      [
        { addresses: [{ addressType: "Nobody" }] },
        /body\.config\.addresses\[0\]\.addressType` must be one of/,
      ],
      [
        { addresses: [{ addressType: "SoldTo", contacts: [{ lastName: "X" }] }] },
        /body\.config\.addresses\[0\]\.contacts\[0\]\.id` is missing/,
      ],
      [[], /body\.config` must be an object/],
    ];
    for (const [config, message] of wrong) {
      t.match(
        refusal(() => read(config)),
        /^400 request-bad-request/,
      );
      t.match(
        refusal(() => read(config)),
        message,
      );
    }
    t.match(
      refusal(() => checked(check({}), "body")),
      /body\.sessionId/,
    );
    t.end();
  });

  t.test("names a manufacturer to split by, and only those of the project", (t) => {
    const split = { splitDocumentByManufacturers: true };
    for (const manufacturerId of [undefined, null, " "]) {
      const message = refusal(() =>
        read({ ...split, ...(manufacturerId !== undefined && { manufacturerId }) }),
      );
      t.match(message, /^400 request-bad-request: .*`config\.manufacturerId` must name the manufacturer/);
    }
    const known = new Set(["AAA", "BBB"]);
    const checkOf = (config: unknown) => refusal(() => checkManufacturers(read(config), known));
    t.equal(checkOf({}), "");
    t.equal(checkOf({ ...split, manufacturerId: "AAA" }), "");
    t.equal(checkOf({ manufacturerIds: ["BBB", "AAA"], manufacturerId: "gone" }), "", "the list counts");
    t.match(
      checkOf({ ...split, manufacturerId: "C" }),
      /manufacturerId` must be one of "AAA", "BBB", but is "C"/,
    );
    t.match(checkOf({ manufacturerId: "aaa" }), /body\.config\.manufacturerId` must be one of "AAA"/);
    const two = checkOf({ manufacturerIds: ["X", "AAA", "Y"] });
    t.match(two, /manufacturerIds\[0\]` .* is "X"; `body\.config\.manufacturerIds\[2\]` .* is "Y"/);
    t.match(
      refusal(() => checkManufacturers(read({ manufacturerId: "A" }), [])),
      /must be none, because the project has no articles of a manufacturer/,
    );
    const many = Array.from({ length: 60 }, (_, index) => `M${index}`);
    t.match(
      refusal(() => checkManufacturers(read({ manufacturerId: "A" }), many)),
      /"M49", …, but is "A"/,
    );
    t.end();
  });
  t.end();
});

t.test("a logo is an asset of the project, a data URL or Base64 of a picture", (t) => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64");
  const asset = { mediaType: "image/png", sha256: "0".repeat(64) };
  const document = project([], { assets: { logo: asset } });
  t.strictSame(readLogoImage("logo", document), { kind: "asset", key: "logo", asset });
  const embedded = { kind: "embedded", dataUrl: `data:image/png;base64,${png}` };
  for (const value of [
    png,
    `data:image/png;base64,${png}`,
    `data:;base64,${png}`,
    `${png.slice(0, 20)}\n${png.slice(20)}`,
  ]) {
    t.strictSame(readLogoImage(value, document), embedded);
  }
  t.strictSame(
    readLogoImage(`data:image/jpeg;charset=x;base64,${png}`, document),
    embedded,
    "bytes tell the type",
  );
  t.match(readLogoImage(svg, document), { dataUrl: /^data:image\/svg\+xml;base64,/ });
  const large = Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(9_000_000)]).toString("base64");
  t.ok(readLogoImage(large, document).kind === "embedded", "as large as the configuration takes");
  t.strictSame(readLogoImage(png.replace(/=+$/, ""), document), embedded, "padding may be missing");
  for (const value of [
    "",
    "constructor",
    "data:text/html,<script>",
    "https://example.com/logo.png",
    "AAAA",
    "=",
    "ä",
    `${png}=`,
    `${png.slice(0, 20)}=${png.slice(21)}`,
    // A TIFF, which no browser shows.
    Buffer.from("II*\0\b\0\0\0").toString("base64"),
  ]) {
    const message = refusal(() => readLogoImage(value, document));
    t.match(message, /^400 request-bad-request: .*body\.config\.pdfLogoImage` must be a picture/);
  }
  t.end();
});

t.test("a logo is checked with the request, even if there is no PDF to show it", async (t) => {
  const logos = { good: { mediaType: "image/png", sha256: "0".repeat(64) } };
  const document = project([], { assets: logos });
  const session = {
    ...{ id: sessionId, locale: "en", revision: 1 },
    ...{ project: async () => document, asset: async () => undefined, picture: async () => undefined },
  };
  const prepare = (pdfLogoImage: string) => {
    const body: ExportRequest = {
      ...{ sessionId, calculationScheme: "STDB2B_WBK", preferredImageColumn: sessionId, imageOptions: [] },
      templateOptions: {},
      config: { pdfLogoImage },
    };
    const call = {
      body,
      session,
      locale: "en",
      signal: AbortSignal.timeout(60_000),
      suppress: () => undefined,
    };
    const host = { procedures: { find: async () => procedure }, now: () => new Date() };
    return createContext(host, settings, call);
  };
  await t.rejects(prepare("no picture"), {
    ...{ code: 400, id: "request-bad-request" },
    message: /config\.pdfLogoImage` must be a picture .*, but is "no picture"/,
  });
  t.match((await prepare("good")).logo, { kind: "asset", key: "good" });
});

t.test("repairs are told with item, field, value and change, in bounded number", (t) => {
  const collect = (limits?: { perKind: number; total: number; kinds: number }) => {
    const told: Suppression[] = [];
    const repairs = new CollectedRepairs((suppression) => told.push(suppression), limits);
    return { told, repairs };
  };

  t.test("one by one", (t) => {
    const { told, repairs } = collect();
    repairs.report({ field: "config.clientNo", value: "a\nb", change: "cut" });
    const item = repairs.forItem({ id: "I1", position: "1.2" });
    item.report({ field: "quantity", value: "1.23456", change: "rounded", scope: "ERROR" });
    item.forItem({ id: "I2", position: "" }).report({ field: "name", value: "", change: "left out" });
    repairs.summarize();
    t.strictSame(told, [
      {
        id: "oex-value-repaired",
        scope: "WARN",
        message: '`config.clientNo` ("a\\nb"): cut.',
        additionalInformation: { field: "config.clientNo", value: "a\nb", change: "cut" },
      },
      {
        id: "oex-value-repaired",
        scope: "ERROR",
        message: '`quantity` of the item 1.2 ("1.23456"): rounded.',
        additionalInformation: { itemId: "I1", field: "quantity", value: "1.23456", change: "rounded" },
      },
      {
        id: "oex-value-repaired",
        scope: "WARN",
        message: '`name` of the item I2 (""): left out.',
        additionalInformation: { itemId: "I2", field: "name", value: "", change: "left out" },
      },
    ]);
    t.end();
  });

  t.test("a long value is shortened between characters", (t) => {
    const { told, repairs } = collect();
    repairs.report({ field: "name", value: `x${"🪑".repeat(5000)}`, change: "cut" });
    repairs.summarize();
    const value = String(told[0]?.additionalInformation?.["value"]);
    t.equal([...value].length, 200);
    t.notMatch(value, /\p{Cs}/u);
    t.ok(value.endsWith("🪑…"));
    t.ok((told[0]?.message ?? "").length < 250);
    t.end();
  });

  t.test("equal ones of several items are told once", (t) => {
    const { told, repairs } = collect();
    const code = { field: "manufacturerId", value: "BRENHOLT", change: '"BREN" is written' };
    for (const index of [1, 2, 3]) repairs.forItem({ id: `I${index}`, position: `1.${index}` }).report(code);
    const twice = repairs.forItem({ id: "I4", position: "" });
    twice.report(code);
    twice.report(code);
    twice.report({ ...code, value: "BRENNER" });
    repairs.summarize();
    t.strictSame(
      told.map(({ message, additionalInformation }) => [message, additionalInformation]),
      [
        [
          '`manufacturerId` ("BRENHOLT"): "BREN" is written (4 items: 1.1, 1.2, 1.3, I4).',
          { ...code, itemIds: ["I1", "I2", "I3", "I4"], itemCount: 4 },
        ],
        [
          '`manufacturerId` of the item I4 ("BRENNER"): "BREN" is written.',
          { ...code, value: "BRENNER", itemId: "I4" },
        ],
      ],
    );
    const large = collect();
    for (let index = 0; index < 1000; index += 1) {
      large.repairs.forItem({ id: `I${index}`, position: String(index) }).report(code);
    }
    large.repairs.summarize();
    t.equal(large.told.length, 1);
    t.match(large.told, [
      { message: /\(1000 items: 0, 1, .*, 19, …\)\.$/, additionalInformation: { itemCount: 1000 } },
    ]);
    t.end();
  });

  t.test("beyond the limits they are counted by kind", (t) => {
    const { told, repairs } = collect({ perKind: 2, total: 5, kinds: 3 });
    for (let index = 0; index < 10; index += 1) {
      const field = `config.addresses[${index}].street`;
      repairs.report({ field, value: "", change: `"${index}" is written` });
      repairs.report({ field: "quantity", value: `${index}`, change: "rounded", scope: "ERROR" });
      repairs.report({ field: `other${index}`, value: "", change: "cut" });
    }
    repairs.summarize();
    const [single, summed] = [told.slice(0, 5), told.slice(5)];
    t.equal(
      single.every(({ additionalInformation }) => additionalInformation?.["count"] === undefined),
      true,
    );
    t.strictSame(
      summed.map(({ message, scope }) => [message, scope]),
      [
        ['`config.addresses[].street`: "…" is written; 8 more of this kind are not listed.', "WARN"],
        ["`quantity`: rounded; 8 more of this kind are not listed.", "ERROR"],
        ["Various fields: changed in various ways; 9 more of this kind are not listed.", "WARN"],
      ],
    );
    const counted = summed.map(({ additionalInformation }) => Number(additionalInformation?.["count"]));
    t.equal(single.length + counted.reduce((sum, count) => sum + count), 30, "nothing is lost");
    t.end();
  });
  t.end();
});

t.test("values are made to fit their types", (t) => {
  const told: string[] = [];
  const repairs: Repairs = {
    report: ({ field, value, change }) => void told.push(`${field} ${JSON.stringify(value)}: ${change}`),
    forItem: () => repairs,
  };
  const fields = new FieldRepairs(repairs, "item.");
  const reports = () => told.splice(0);

  t.test("texts on one line", (t) => {
    t.equal(fields.line("name", " a\n\tb ", 35), "a b");
    t.equal(fields.line("name", undefined), undefined);
    t.equal(fields.line("name", " \n"), undefined);
    t.strictSame(reports(), [], "whitespace is tidied silently");
    t.equal(fields.line("name", "🪑".repeat(40), 35), "🪑".repeat(35));
    t.match(reports(), [/item\.name "🪑+": cut to 35 characters/u]);
    t.equal(fields.line("name", "a\u0000\ud800b\ufffe", 35), "ab");
    t.match(reports(), [/characters that XML does not allow were removed/]);
    t.equal(fields.line("name", "\u0007"), undefined);
    t.equal(reports().length, 1);
    t.equal(fields.requiredLine("name", null, 35, "0"), "0");
    t.match(reports(), [/item\.name "": "0" is written, because there is no value/]);
    t.end();
  });

  t.test("codes", (t) => {
    const code = (value: string, form: keyof typeof codeForms) => {
      const found = fields.code(form, value, codeForms[form]);
      return [found, reports().length];
    };
    t.strictSame(code("ABC1", "vendor"), ["ABC1", 0]);
    t.strictSame(code("ab-c 12", "vendor"), ["ABC1", 1]);
    t.strictSame(code("äöü", "vendor"), [undefined, 1]);
    t.strictSame(code(" ", "vendor"), [undefined, 0]);
    t.strictSame(code(" ab1 2cd ", "postalCode"), ["AB1 2CD", 1]);
    t.strictSame(code("-12345 6789-0123", "postalCode"), ["12345 6789", 1]);
    t.strictSame(code("de", "country"), ["DE", 1]);
    t.strictSame(code("Germany", "country"), [undefined, 1], "not Georgia");
    t.strictSame(code("Niedersachsen", "county"), [undefined, 1]);
    t.strictSame(code("xo", "orderType"), ["XO", 1]);
    t.strictSame(code("de-2011.1", "catalogId"), ["de-2011.1", 0]);
    t.strictSame(code("DE-2011.1", "catalogId"), [undefined, 1]);
    t.equal(fields.requiredCode("series", "", codeForms.vendor, "0"), "0");
    t.equal(fields.requiredCode("series", "??", codeForms.vendor, "0"), "0");
    t.match(reports(), [
      /item\.series "": "0" is written: it must be 1 to 4/,
      /item\.series "\?\?": "0" is written/,
    ]);
    t.end();
  });

  t.test("long names in parts", (t) => {
    t.strictSame(splitAtBlanks("aaa bbb ccc", 7, 4), { parts: ["aaa bbb", "ccc"], rest: "" });
    t.strictSame(splitAtBlanks("aaa bbb ccc", 6, 2), { parts: ["aaa", "bbb"], rest: "ccc" });
    t.strictSame(splitAtBlanks("🪑🪑🪑🪑🪑", 2, 2), { parts: ["🪑🪑", "🪑🪑"], rest: "🪑" });
    t.strictSame(splitAtBlanks("", 2, 2), { parts: [], rest: "" });
    t.end();
  });
  t.end();
});

t.test("location numbers are 13 digits with a check digit", (t) => {
  for (const number of ["4012345000009", "4 012345 00000-9"])
    t.equal(globalLocationNumber(number), "4012345000009");
  for (const number of ["4012345000008", "401234500000", "40123450000099", "", "401234500000９"]) {
    t.equal(globalLocationNumber(number), undefined, number);
  }
  t.end();
});

t.test("the header of an order", (t) => {
  t.test("of an empty project", (t) => {
    const { header, repairs, application } = made();
    t.strictSame(header, {
      partialDelivery: true,
      number: "20260511-093015",
      clientNumber: "0",
      clientIds: [],
      vendorNumber: "0",
      supplierIds: [],
      currency: "EUR",
      language: { code: "en", country: "GB" },
      documentNumbers: [],
      dates: [
        { type: "DOC", timeZone: "+0000", format: "D", value: "20260511", time: "093015" },
        { type: "ORD", timeZone: "+0000", format: "D", value: "20260511" },
      ],
      organisation: [],
      addresses: [],
      texts: [],
      references: [],
      pricing: [],
    });
    t.strictSame(application, { name: "Slipway", major: "1", minor: "4" });
    t.match(repairs, [
      /^`config\.clientNo` \(""\): "0" is written/,
      /^`config\.vendorNo` \(""\): "0" is written/,
    ]);
    t.end();
  });

  t.test("has what is handed in", (t) => {
    const weights = { gross: "1", net: "2" };
    const line = { type: "TNET", area: "P", value: "1.00", currency: "CHF" } as const;
    const { header } = made({ parts: { currency: "CHF", weights, volume: "3", pricing: [line] } });
    t.match(header, { currency: "CHF", weights, volume: "3", pricing: [line] });
    t.end();
  });

  t.test("takes numbers from the configuration, else from project and addresses", (t) => {
    const addresses = [
      address("SoldTo", { addressNumber: " C-1 ", street: "" }),
      address("Supplier", { addressNumber: "V-1" }),
    ];
    const ofProject = made({ project: { header: { number: "Q-7" }, addresses } });
    t.match(ofProject.header, {
      number: "Q-7",
      clientNumber: "C-1",
      vendorNumber: "V-1",
      documentNumbers: [],
    });
    const config = { docNumber: "O-1", clientNo: "C-2", vendorNo: "V-2", conditionNo: "F-9" };
    const own = made({ config, project: { header: { number: "Q-7" }, addresses } });
    t.match(own.header, { number: "O-1", clientNumber: "C-2", vendorNumber: "V-2" });
    t.strictSame(own.header.documentNumbers, [
      { type: "QUO", context: "S", number: "Q-7" },
      { type: "CON", context: "R", number: "F-9" },
    ]);
    const same = made({
      config: { docNumber: "Q-7", conditionNo: "Q-7" },
      project: { header: { number: "Q-7" } },
    });
    t.strictSame(same.header.documentNumbers, [], "the own number is not repeated");
    t.match(
      same.repairs.join("\n"),
      /config\.conditionNo` \("Q-7"\): left out: it is the document's own number/,
    );
    t.end();
  });

  t.test("has location numbers as GLN, and others as ids of the sender", (t) => {
    const { header, repairs } = made({ config: { clientILN: "4012345000009", vendorILN: "4012345000008" } });
    t.strictSame(header.clientIds, [{ type: "GLN", value: "4012345000009" }]);
    t.strictSame(header.supplierIds, [{ type: "IIS", value: "4012345000008" }]);
    t.match(repairs.join("\n"), /config\.vendorILN` \("4012345000008"\): written as an id of the type "IIS"/);
    const long = made({ config: { clientILN: "x".repeat(21) } });
    t.strictSame(long.header.clientIds, []);
    t.match(long.repairs.join("\n"), /config\.clientILN` \("x+"\): left out: longer than 20 characters/);
    t.end();
  });

  t.test("names an order type that exists", (t) => {
    t.equal(made({ config: { orderType: "XO" } }).header.orderType, "XO");
    const wrong = made({ config: { orderType: "fast" } });
    t.notOk("orderType" in wrong.header);
    t.match(
      wrong.repairs.join("\n"),
      /config\.orderType` \("fast"\): left out: it must be one of SO, XO, MU, CP, SP, EO, SR/,
    );
    t.end();
  });

  t.test("is in the language of the session", (t) => {
    t.strictSame(made({ locale: "de" }).header.language, { code: "de" });
    t.strictSame(made({ locale: "zh-Hant-TW" }).header.language, { code: "zh", country: "TW" });
    const other = made({ locale: "gsw_CH" });
    t.strictSame(other.header.language, { code: "en" });
    t.match(other.repairs.join("\n"), /session\.locale` \("gsw_CH"\): "en" is written/);
    t.end();
  });

  t.test("has organisational data", (t) => {
    const config = { commission: "K 1", projectNumber: "P1", salesOrganisation: "S1", salesGroup: "G1" };
    const shown = (more: object, addresses = [address("SoldTo", { addressNumber: "D-1" })]) => {
      const { header, repairs } = made({ config: { ...config, ...more }, project: { addresses } });
      return [
        header.organisation.map(({ type, value }) => `${type} ${value}`).join(", "),
        repairs.join("\n"),
      ];
    };
    t.equal(shown({})[0], "COM K 1, PJN P1, SOR S1, SGR G1");
    t.equal(shown({ dealerAsSGR: true })[0], "COM K 1, PJN P1, SOR S1, SGR D-1");
    t.equal(shown({ dealerAsSGR: true, clientNo: "C-1" }, [])[0], "COM K 1, PJN P1, SOR S1, SGR C-1");
    const [without, report] = shown({ dealerAsSGR: true }, []);
    t.equal(without, "COM K 1, PJN P1, SOR S1, SGR G1");
    t.match(report, /config\.dealerAsSGR` \("true"\): without effect: the dealer has no number/);
    t.equal(shown({ commission: " ", salesGroup: null })[0], "PJN P1, SOR S1");
    t.end();
  });

  t.test("lists attached files", (t) => {
    const files = { pdf: "a.pdf", obx: "b.obx" };
    t.strictSame(made({ parts: { files } }).header.references, [
      { type: "ATT", value: "a.pdf", mediaType: "application/pdf", description: "Order as PDF" },
      { type: "ATT", value: "b.obx", mediaType: "application/octet-stream", description: "Articles as OBX" },
    ]);
    const german = made({ parts: { files: { pdf: "a.pdf" } }, locale: "de_AT" }).header.references;
    t.match(german, [{ value: "a.pdf", description: "Bestellung als PDF" }]);
    t.end();
  });

  t.test("names an application with a version that the format takes", (t) => {
    const version = (aMajor: string, aMinor: string, oexVersion: "3.1" | "2.3" = "3.1") => {
      const { application, repairs } = made({
        config: {
          appName: "  Planner\n",
          appVersion: { aMajor, aMinor },
          oexVersion,
          clientNo: "1",
          vendorNo: "1",
        },
      });
      return [application.name, application.major, application.minor, repairs.length];
    };
    t.strictSame(version("12", "007"), ["Planner", "12", "7", 0]);
    t.strictSame(version("65536", "1.2"), ["Planner", "0", "0", 2]);
    t.strictSame(version("100", "99", "2.3"), ["Planner", "0", "99", 1]);
    t.equal(made({ config: { appName: " " } }).application.name, "Slipway");
    t.end();
  });
  t.end();
});

t.test("dates", (t) => {
  const dates = (setup: HeaderSetup) =>
    made(setup).header.dates.map(({ type, timeZone, format, value, time }) =>
      [type, timeZone, format === "W" ? `W${value}` : value, ...(time === undefined ? [] : [time])].join(" "),
    );
  const soldTo = { addresses: [address("SoldTo")] };

  t.test("are those of the project, each with the offset of its day", (t) => {
    const setup = { now: "2026-03-28T23:30:00Z", timeZone: "Europe/Berlin" };
    const header = { projectDate: "2026-07-01", validTo: "2026-12-31" };
    const languages = project([]).settings;
    const settings = { ...languages, defaultPriceDate: "2026-01-01" };
    t.strictSame(dates({ ...setup, project: { header, settings } }), [
      "DOC +0100 20260329 003000",
      "ORD +0200 20260701",
      "PRD +0100 20260101",
    ]);
    const quotation = { ...soldTo, documentType: "QUOTES" as const };
    t.strictSame(dates({ ...setup, config: quotation, project: { header, settings } }), [
      "DOC +0100 20260329 003000",
      "QUO +0200 20260701",
      "QUV +0100 20261231",
      "PRD +0100 20260101",
    ]);
    t.strictSame(dates({ ...setup, config: quotation }), ["DOC +0100 20260329 003000", "QUO +0200 20260329"]);
    t.end();
  });

  t.test("are told in zones of half hours and across the day", (t) => {
    const now = "2026-05-11T20:00:05Z";
    t.equal(dates({ now, timeZone: "Asia/Kolkata" })[0], "DOC +0530 20260512 013005");
    t.equal(dates({ now, timeZone: "America/St_Johns" })[0], "DOC -0230 20260511 173005");
    t.equal(dates({ now, timeZone: "UTC" })[0], "DOC +0000 20260511 200005");
    t.end();
  });

  t.test("have the delivery as day or week, and other words as a text", (t) => {
    const delivery = (text: string, documentType: "ORDERS" | "QUOTES" = "ORDERS") => {
      const config = { ...soldTo, delivery: text, documentType };
      const { header, repairs } = made({ config: { ...config, clientNo: "1", vendorNo: "1" } });
      const texts = header.texts.map(
        ({ type, lines }) => `${type} ${lines.map((line) => line.text).join("|")}`,
      );
      const date = header.dates.find(({ type }) => type === "CRD" || type === "DLD");
      return [date && `${date.type} ${date.format} ${date.value}`, ...texts, ...repairs];
    };
    t.strictSame(delivery("2026-07-14"), ["CRD D 20260714"]);
    t.strictSame(delivery(" 20260714 ", "QUOTES"), ["DLD D 20260714"]);
    for (const week of ["2026W53", "2026-W53", "2026w53", "202653"]) {
      t.strictSame(delivery(week), ["CRD W 202653"]);
    }
    t.strictSame(delivery("KW 27\nvormittags"), [undefined, "DCON KW 27|vormittags"]);
    t.strictSame(delivery("2026-07"), [undefined, "DCON 2026-07"], "a month is no week");
    t.strictSame(delivery(""), [undefined]);
    for (const [text, reason] of [
      ["2026-02-30", "there is no such day"],
      ["20261301", "there is no such day"],
      ["202500", "there is no such week"],
      ["2025W53", "there is no such week"],
    ] as const) {
      t.strictSame(delivery(text), [
        undefined,
        `DCON ${text}`,
        `\`config.delivery\` ("${text}"): written as a text: ${reason}.`,
      ]);
    }
    t.end();
  });

  t.test("have a delivery in quotations of version 2.3", (t) => {
    const config = {
      ...({ documentType: "QUOTES", oexVersion: "2.3", clientNo: "1", vendorNo: "1" } as const),
    };
    const shipTo = { addresses: [address("ShipTo")] };
    const valid = made({ config: { ...config, ...shipTo }, project: { header: { validTo: "2026-08-01" } } });
    t.match(valid.header.dates.at(-1), { type: "DLD", value: "20260801" });
    t.match(valid.repairs, [
      /config\.delivery` \(""\): the validity of the quotation is written as the delivery date/,
    ]);
    const today = made({ config: { ...config, ...shipTo, delivery: "soon" } });
    t.match(today.header.dates.at(-1), { type: "DLD", value: "20260511" });
    t.match(today.repairs, [/config\.delivery` \("soon"\): the day of the export is written/]);
    t.match(today.header.texts, [{ type: "DCON" }]);
    t.strictSame(made({ config: { ...config, ...shipTo, delivery: "2026-06-01" } }).repairs, []);
    t.end();
  });
  t.end();
});

t.test("texts", (t) => {
  const texts = (setup: HeaderSetup) =>
    made(setup).header.texts.map(({ type, language, lines }) => {
      const all = lines.map(({ format, text }) => `${format === "~" ? "~" : ""}${text}`);
      return `${type} ${language.code}: ${all.join("|")}`;
    });
  const config = {
    orderInfo: "Hello\n\nworld",
    additionalAgreement: "A1",
    dispatchNotes: `${"x".repeat(80)} y`,
  };

  t.test("come from the configuration", (t) => {
    t.strictSame(texts({ config, locale: "de_DE" }), [
      "HEAD de: Hello| |world",
      "ADAG de: A1",
      `DNOT de: ${"x".repeat(80)}|~y`,
    ]);
    t.strictSame(texts({ config: { orderInfo: " ", additionalAgreement: "\n" } }), []);
    t.strictSame(
      texts({ config: { ...config, versionInOrder: true } })[0],
      "HEAD en: Hello| |world|Slipway 1.4",
    );
    t.strictSame(texts({ config: { versionInOrder: true } }), ["HEAD en: Slipway 1.4"]);
    t.end();
  });

  t.test("come from the project with useSCOrderInfo", (t) => {
    const header = {
      headerText: [
        { lang: "de", value: "<p>Guten Tag</p>", format: "html" as const },
        { lang: "fr", value: "Bonjour" },
      ],
    };
    const own = { ...config, useSCOrderInfo: true };
    t.equal(texts({ config: own, project: { header }, locale: "fr_FR" })[0], "HEAD fr: Bonjour");
    t.equal(texts({ config: own, project: { header }, locale: "en" })[0], "HEAD de: Guten Tag");
    t.equal(texts({ config: own })[0], "HEAD en: Hello| |world", "else the configuration's");
    t.equal(texts({ config, project: { header } })[0], "HEAD en: Hello| |world");
    t.end();
  });

  t.test("that cannot be read are reported", (t) => {
    const headerText = [{ lang: "de", value: "<a>", format: "xml" as const }];
    const { suppressed } = made({ config: { useSCOrderInfo: true }, project: { header: { headerText } } });
    const [error] = suppressed.filter(({ id }) => id === "project-text-error");
    t.match(error, { additionalInformation: { field: "header.headerText", lang: "de" } });
    t.match(error?.message, /header\.headerText.*malformed/);
    t.end();
  });
  t.end();
});

t.test("addresses", (t) => {
  const usual = { clientNo: "1", vendorNo: "1" };
  const quotation = { ...usual, documentType: "QUOTES" as const };

  t.test("of the configuration replace those of the project type by type", (t) => {
    const ofProject = [
      address("BillTo"),
      address("SoldTo", { name1: "Old", contactIds: [7] }),
      address("InCharge"),
    ];
    const contacts = [{ id: 7, lastName: "Smith" }];
    const { header, repairs } = made({
      config: { ...usual, addresses: [address("ShipTo"), address("SoldTo", { name1: "New" })] },
      project: { addresses: ofProject, contacts },
    });
    t.strictSame(
      header.addresses.map(({ type, names, contacts }) => [type, ...names, contacts.length]),
      [
        ["SO", "New", 0],
        ["SH", "Harbour Ltd", 0],
        ["IN", "Harbour Ltd", 0],
      ],
    );
    t.strictSame(repairs, [], "a person in charge is not exported");
    t.end();
  });

  t.test("have all their fields", (t) => {
    const codes = {
      ...{
        SoldTo: "SO",
        ShipTo: "SH",
        BillTo: "IN",
        Payer: "PA",
        Carrier: "CA",
        Supplier: "SU",
        EndUser: "EU",
      },
      ...{ InstallationCompany: "IS", InstallationLocation: "IL", Branch: "BR" },
    } as const;
    for (const type of ["SoldTo", "ShipTo", "BillTo", "Payer", "Carrier", "Supplier", "EndUser"] as const) {
      t.equal(made({ config: { addresses: [address(type)] } }).header.addresses[0]?.type, codes[type]);
    }
    for (const type of ["InstallationCompany", "InstallationLocation", "Branch"] as const) {
      t.equal(made({ config: { addresses: [address(type)] } }).header.addresses[0]?.type, codes[type]);
    }
    const full = address("SoldTo", {
      ...{
        addressNumber: "N",
        addressId: "4012345000009",
        title: "Company",
        name2: "B",
        name3: "C",
        name4: "D",
      },
      ...{ street2: "Floor 2", district: "Old Town", regionCode: "gb-abd", poBox: "77" },
      ...{ taxCode: "T1", taxCodeEU: "T2", taxCodeUSA: "T3" },
      commAddresses: [
        { type: "Phone", scope: "Business", value: "+44 1" },
        { type: "Fax", scope: "Business", value: "2" },
        { type: "Mobile", scope: "Private", value: "3" },
        { type: "WWW", scope: "Business", value: "4" },
        { type: "EMail", scope: "Business", value: "5" },
      ],
    });
    const { header, repairs } = made({ config: { ...usual, addresses: [full] } });
    t.strictSame(header.addresses, [
      {
        ...{ type: "SO", names: ["Harbour Ltd", "B", "C", "D"], street: "Quay 1", countryCode: "GB" },
        ...{ postalCode: "AB1 2CD", location: "Aberdeen", number: "N", title: "Company" },
        id: { type: "GLN", value: "4012345000009" },
        ...{ street2: "Floor 2", district: "Old Town", countyCode: "ABD", poBox: "77" },
        ...{ taxCode: "T1", taxCodeEU: "T2", taxCodeUSA: "T3" },
        communication: [
          { type: "TEL", scope: "B", value: "+44 1" },
          { type: "FAX", scope: "B", value: "2" },
          { type: "MOB", scope: "P", value: "3" },
          { type: "WWW", scope: "B", value: "4" },
          { type: "EMA", scope: "B", value: "5" },
        ],
        contacts: [],
      },
    ]);
    t.match(repairs, [/config\.addresses\[0\]\.regionCode` \("GB-ABD|abd"\): "ABD" is written/i]);
    t.end();
  });

  t.test("are repaired", (t) => {
    const names = (more: object) => {
      const { header, repairs } = made({ config: { ...usual, addresses: [address("SoldTo", more)] } });
      return [header.addresses[0]?.names, repairs.length];
    };
    const long = "Harbourlight Media and Broadcasting Company of Northern Scotland";
    const parts = ["Harbourlight Media and Broadcasting", "Company of Northern Scotland"];
    t.strictSame(names({ name1: long }), [parts, 1]);
    t.strictSame(names({ name1: long, name2: "Purchasing" }), [[...parts, "Purchasing"], 1]);
    t.strictSame(names({ name1: "A", name3: "C" }), [["A", "C"], 0]);
    t.strictSame(names({ name1: "", name2: "B" }), [["B"], 1]);
    t.strictSame(names({ name1: "A", name2: "B", name3: "C", name4: long }), [["A", "B", "C", parts[0]], 1]);
    t.strictSame(names({ name1: "y".repeat(200) }), [Array(4).fill("y".repeat(35)), 1]);

    const { header, repairs } = made({
      config: {
        ...usual,
        addresses: [
          address("SoldTo", {
            ...{ street: "s".repeat(36), countryCode: "gb", postalCode: "ab1_2cd", regionCode: "Scotland" },
            addressId: "4012345000008",
          }),
        ],
      },
    });
    t.match(header.addresses, [
      {
        street: "s".repeat(35),
        countryCode: "GB",
        postalCode: "AB12CD",
        id: { type: "IIS", value: "4012345000008" },
      },
    ]);
    t.notOk("countyCode" in (header.addresses[0] ?? {}));
    t.match(repairs, [
      /config\.addresses\[0\]\.street` \("s+"\): cut to 35 characters/,
      /config\.addresses\[0\]\.countryCode` \("gb"\): "GB" is written/,
      /config\.addresses\[0\]\.postalCode` \("ab1_2cd"\): "AB12CD" is written/,
      /config\.addresses\[0\]\.regionCode` \("Scotland"\): left out: it must be 1 to 6/,
    ]);
    t.end();
  });

  t.test("that cannot be written are left out with a reason", (t) => {
    for (const field of ["name1", "street", "countryCode", "postalCode", "location"]) {
      const broken = address("ShipTo", { [field]: " " });
      const { header, repairs } = made({
        config: { ...usual, addresses: [broken] },
        project: { addresses: [address("ShipTo")] },
      });
      t.strictSame(header.addresses, [], "nor does another one take its place");
      t.strictSame(repairs, [`\`config.addresses[0]\` ("ShipTo"): left out: no valid ${field}.`]);
    }
    const twice = made({
      config: { ...usual, addresses: [address("SoldTo"), address("SoldTo", { name1: "B" })] },
    });
    t.match(twice.header.addresses, [{ names: ["Harbour Ltd"] }]);
    t.strictSame(twice.repairs, [
      '`config.addresses[1].addressType` ("SoldTo"): left out: config.addresses[0] is of the same type.',
    ]);
    t.end();
  });

  t.test("have contacts, and one phone of each scope", (t) => {
    const phone = { type: "Phone", scope: "Business", value: "1" } as const;
    const soldTo = address("SoldTo", {
      commAddresses: [
        phone,
        { ...phone, value: "2" },
        { ...phone, scope: "Private" },
        { ...phone, value: " " },
      ],
      contacts: [
        {
          ...{
            id: 1,
            contactType: "Sale",
            contactNumber: "7",
            title: "Dr",
            firstName: "Ann",
            lastName: "Lee",
          },
          commAddresses: [phone, phone],
        },
        { id: 2, firstName: "Cher" },
        { id: 3, contactType: "Client" },
      ],
    });
    const { header, repairs } = made({ config: { ...usual, addresses: [soldTo] } });
    t.strictSame(header.addresses[0]?.communication, [
      { type: "TEL", scope: "B", value: "1" },
      { type: "TEL", scope: "P", value: "1" },
    ]);
    t.strictSame(header.addresses[0]?.contacts, [
      {
        ...{ type: "SC", number: "7", title: "Dr", firstName: "Ann", lastName: "Lee" },
        communication: [{ type: "TEL", scope: "B", value: "1" }],
      },
      { type: "EM", lastName: "Cher", communication: [] },
    ]);
    t.strictSame(repairs, [
      '`config.addresses[0].commAddresses[1].value` ("2"): left out: another Phone with the scope Business comes before it.',
      '`config.addresses[0].contacts[0].commAddresses[1].value` ("1"): left out: another Phone with the scope Business comes before it.',
      '`config.addresses[0].contacts[2]` ("3"): left out: it has no name.',
    ]);
    t.end();
  });

  t.test("of the project have its contacts", (t) => {
    const addresses = [address("SoldTo", { contactIds: [5, 9, 5] })];
    const types = ["Sale", "Warehouse", "Installer", "Support", "Employee", "Client"] as const;
    for (const [index, code] of ["SC", "WC", "IN", "SU", "EM", "CL"].entries()) {
      const contactType = types[index] ?? "Sale";
      const contacts = [{ id: 5, lastName: "Lee", contactType }];
      const { header, repairs } = made({ config: usual, project: { addresses, contacts } });
      t.match(header.addresses[0]?.contacts, [{ type: code, lastName: "Lee" }]);
      t.strictSame(repairs, [
        '`project.addresses[0].contactIds[1]` ("9"): left out: the project has no such contact.',
      ]);
    }
    t.end();
  });

  t.test("name the user and the ship-to code where that is wanted", (t) => {
    const config = { ...usual, projectUserName: "Mary  Ann Lee", shipToCode: "X1" };
    const addresses = [address("SoldTo"), address("ShipTo", { addressNumber: "9" })];
    const off = made({ config, project: { addresses } });
    t.match(off.header.addresses, [{ contacts: [] }, { number: "9" }]);
    const flags = { ...config, identicateUser: true, useShipToCode: true };
    const on = made({ config: flags, project: { addresses } });
    t.match(on.header.addresses, [
      { contacts: [{ type: "EM", firstName: "Mary Ann", lastName: "Lee" }] },
      { number: "X1" },
    ]);
    t.strictSame(on.repairs, []);
    t.strictSame(made({ config: flags }).repairs, [
      '`config.shipToCode` ("X1"): not written: there is no ship-to address.',
      '`config.projectUserName` ("Mary  Ann Lee"): not written: there is no sold-to address.',
    ]);
    const missing = made({
      config: { ...flags, shipToCode: null, projectUserName: " " },
      project: { addresses },
    });
    t.match(missing.header.addresses, [{ contacts: [] }, { number: "9" }]);
    t.equal(missing.repairs.length, 2);
    t.end();
  });

  t.test("are due in quotations", (t) => {
    t.match(
      refusal(() => made({ config: quotation })),
      /^422 project-address-missing: A quotation needs a complete address: name1, street/,
    );
    t.doesNotThrow(() => made({ config: usual }), "an order needs none");
    const customer = made({
      config: { ...quotation, addresses: [address("SoldTo", { location: "" })] },
      project: { addresses: [address("SoldTo", { name1: "Of the project" })] },
    });
    t.match(customer.header.addresses, [{ type: "SO", names: ["Of the project"] }]);
    t.match(customer.repairs, [
      /no valid location/,
      /^`project\.addresses\[0\]` \("SoldTo"\): written, because no other/,
    ]);
    t.match(made({ config: quotation, project: { addresses: [address("Branch")] } }).header.addresses, [
      { type: "BR" },
    ]);
    t.end();
  });

  t.test("of a quotation of version 2.3 include a ship-to address", (t) => {
    const config = { ...quotation, oexVersion: "2.3" as const, delivery: "2026-06-01" };
    const types = (addresses: ReturnType<typeof address>[]) => {
      const { header, repairs } = made({ config: { ...config, addresses } });
      return [header.addresses.map(({ type, names }) => `${type} ${names[0]}`).join(", "), repairs.length];
    };
    t.strictSame(types([address("SoldTo", { name1: "A" })]), ["SO A, SH A", 1]);
    t.strictSame(types([address("Payer", { name1: "B" })]), ["SH B, PA B", 1]);
    t.strictSame(types([address("SoldTo", { name1: "A" }), address("ShipTo", { name1: "C" })]), [
      "SO A, SH C",
      0,
    ]);
    t.end();
  });
  t.end();
});

t.test("file names", (t) => {
  const files = (config: Partial<ExportConfiguration>, more: HeaderSetup = {}) => {
    const { names, repairs } = made({ ...more, config: { clientNo: "1", vendorNo: "1", ...config } });
    return { ...names, repairs };
  };

  t.test("are made of document type, number and time", (t) => {
    const base = "oex-orders_2342_20260511-093015";
    t.strictSame(files({ docNumber: "2342" }), {
      ...{ base, oex: `${base}.xml`, obx: `${base}.obx`, pdf: `${base}.pdf`, archive: `${base}.zip` },
      ...{ orderX: `${base}_order-x.xml`, ubl: `${base}_ubl.xml` },
      repairs: [],
    });
    const quotation = { documentType: "QUOTES" as const, addresses: [address("SoldTo")] };
    const night = { now: "2026-12-31T23:30:00Z", timeZone: "Europe/Berlin" };
    t.equal(files({ ...quotation, docNumber: "1" }, night).base, "oex-quotes_1_20270101-003000");
    t.equal(files({}).base, "oex-orders_20260511-093015_20260511-093015");
    t.end();
  });

  t.test("have a valid sender id", (t) => {
    const senderId = (docNumber: string) => files({ docNumber }).base.split("_")[1];
    t.equal(senderId("A/2026 #7"), "A-2026-7");
    t.equal(senderId("--Ä--"), "0");
    t.equal(senderId(`${"a".repeat(19)}/b`), "a".repeat(19));
    t.equal(senderId("../../etc/passwd"), "etc-passwd");
    t.equal(senderId("A--1"), "A--1");
    const holds = fc.property(fc.string({ unit: "binary" }), (docNumber) =>
      /^oex-orders_[A-Za-z0-9-]{1,20}_\d{8}-\d{6}$/.test(files({ docNumber }).base),
    );
    t.doesNotThrow(() => fc.assert(holds, { numRuns: 50 }));
    t.end();
  });

  t.test("are the configured ones, cleaned", (t) => {
    const own = (oexFilename: string) => {
      const { oex, repairs } = files({ docNumber: "1", oexFilename });
      return [oex, repairs.length];
    };
    t.strictSame(own("order"), ["order.xml", 0]);
    t.strictSame(own(" Order.XML "), ["Order.xml", 0]);
    t.strictSame(own("order.zip"), ["order.zip.xml", 0]);
    t.strictSame(own("../../etc/passwd"), ["etc passwd.xml", 1]);
    t.strictSame(own("C:\\a\u0000b\u202egnp.xml"), ["C a b gnp.xml", 1]);
    t.strictSame(own(""), ["oex-orders_1_20260511-093015.xml", 0]);
    for (const name of ["..", "...xml", ".xml", "/", "\u0007"]) {
      t.strictSame(own(name), ["oex-orders_1_20260511-093015.xml", 1], JSON.stringify(name));
    }
    const [long] = own("🪑".repeat(300));
    t.equal(long, `${"🪑".repeat(146)}.xml`);
    const all = files({ obxFilename: "a", pdfFilename: "b.pdf", archiveFilename: "c.ZIP" });
    t.match(all, { obx: "a.obx", pdf: "b.pdf", archive: "c.zip" });
    t.end();
  });

  t.test("are different ones, also of the order within the PDF", (t) => {
    const usual = "oex-orders_1_20260511-093015";
    const own = (config: Partial<ExportConfiguration>) => {
      const { oex, orderX, ubl, repairs } = files({ docNumber: "1", ...config });
      return [oex, orderX, ubl, repairs.length];
    };
    const same = { oexFilename: "order", orderXFilename: "Order.xml", ublFilename: "ORDER" };
    t.strictSame(own(same), ["order.xml", `${usual}_order-x.xml`, `${usual}_ubl.xml`, 2]);
    const reserved = { oexFilename: "order-x", orderXFilename: null, ublFilename: "order-x" };
    t.strictSame(own({ ...reserved, embedInPDF: ["ORDER-X"] }), [
      `${usual}.xml`,
      `${usual}_order-x.xml`,
      `${usual}_ubl.xml`,
      2,
    ]);
    t.strictSame(own({ orderXFilename: "order-x", embedInPDF: ["ORDER-X"] }), [
      `${usual}.xml`,
      "order-x.xml",
      `${usual}_ubl.xml`,
      0,
    ]);
    t.end();
  });

  t.test("begin with the sales organisation where that is wanted", (t) => {
    const config = { docNumber: "1", useSalesOrgAsFilePrefix: true, pdfFilename: "own" };
    const { base, oex, pdf } = files({ ...config, salesOrganisation: "10/00" });
    t.equal(base, "10 00_oex-orders_1_20260511-093015");
    t.equal(oex, `${base}.xml`);
    t.equal(pdf, "10 00_own.pdf");
    t.equal(files(config).base, "oex-orders_1_20260511-093015");
    t.equal(files({ ...config, salesOrganisation: ".." }).base, "oex-orders_1_20260511-093015");
    t.equal(
      files({ ...config, salesOrganisation: "1000", useSalesOrgAsFilePrefix: false }).base,
      "oex-orders_1_20260511-093015",
    );
    t.end();
  });
  t.end();
});

t.test("whatever request and project say, the document keeps to the format", async (t) => {
  const checker = await createOexChecker();
  t.teardown(() => checker.dispose());
  const text = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom("", " ", "\u0000", "\ud800", "a\n\tb", "🪑".repeat(100), "]]><&\"'", ".."),
    },
    fc.constantFrom("2026-02-30", "202653", "DE", "12345", "SO", "4012345000009", "x".repeat(4000)),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  const optional = { requiredKeys: [] };
  const types = ["SoldTo", "ShipTo", "Supplier", "InCharge", "Branch"] as const;
  const commAddress = fc.record({
    value: text,
    type: fc.constantFrom("Phone", "EMail"),
    scope: fc.constantFrom("Business", "Private"),
  });
  const anyAddress = fc
    .tuple(
      fc.constantFrom(...types),
      fc.record(
        {
          ...{ addressNumber: text, addressId: text, title: text, name1: text, name2: text, name3: text },
          ...{
            name4: text,
            street: text,
            street2: text,
            countryCode: text,
            postalCode: text,
            location: text,
          },
          ...{ district: text, regionCode: text, poBox: text, taxCode: text },
          commAddresses: fc.array(commAddress, { maxLength: 4 }),
          contacts: fc.array(fc.record({ id: fc.nat(), lastName: text, title: text }), { maxLength: 2 }),
        },
        optional,
      ),
    )
    .map(([type, more]) => address(type, more));
  const config = fc.record(
    {
      ...{
        docNumber: text,
        clientNo: text,
        vendorNo: text,
        clientILN: text,
        vendorILN: text,
        orderType: text,
      },
      ...{ commission: text, projectNumber: text, salesOrganisation: text, salesGroup: text, delivery: text },
      ...{ orderInfo: text, additionalAgreement: text, dispatchNotes: text, conditionNo: text },
      ...{ projectUserName: text, shipToCode: text, appName: text, oexFilename: text },
      appVersion: fc.record({ aMajor: text, aMinor: text }),
      addresses: fc.array(anyAddress, { maxLength: 4 }),
      ...{ dealerAsSGR: fc.boolean(), identicateUser: fc.boolean(), useShipToCode: fc.boolean() },
      ...{ versionInOrder: fc.boolean(), useSalesOrgAsFilePrefix: fc.boolean() },
      documentType: fc.constantFrom("ORDERS" as const, "QUOTES" as const),
      oexVersion: fc.constantFrom("3.1" as const, "3.0" as const, "2.3" as const),
    },
    optional,
  );
  const holds = fc.asyncProperty(config, text, async (config, number) => {
    const setup = { config, project: { header: { number }, addresses: [address("SoldTo")] } };
    const { header, names, application } = made({ ...setup, parts: { files: { pdf: "a.pdf" } } });
    for (const name of Object.values(names)) assert.match(name, /^[^\p{Cc}\p{Cs}/\\]{1,150}$/u);
    const { documentType: type = "ORDERS", oexVersion: version = "3.0" } = config;
    const area = type === "ORDERS" ? "P" : "S";
    const free = { type: "TNET", area, value: "0.00", currency: "EUR" } as const;
    const parts: string[] = [];
    for await (const part of writeOexDocument({
      format: { type, version },
      application,
      header: { ...header, pricing: [free, { ...free, type: "TOTL" }] },
      itemCount: 1,
      items: [{ ...article, pricing: [free] }],
    })) {
      parts.push(String(part));
    }
    assert.deepEqual(await checker.check(Buffer.from(parts.join(""), "utf8")), []);
  });
  await t.resolves(fc.assert(holds, { numRuns: 150 }));
  t.end();
});

const article: OexArticle = {
  ...{ kind: "article", id: id(1), itemNumber: "000010", pseudo: false, articleNumber: "A", status: "O" },
  ...{ vendor: "AAA", series: "S1", quantity: "1", unit: "C62", classifications: [], configurations: [] },
  texts: [{ type: "ARTS", language: { code: "en" }, lines: [{ format: "\\", text: "Table" }] }],
  ...{ organisation: [], references: [], pricing: [] },
};
