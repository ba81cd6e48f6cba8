import {
  formatAmount,
  formatDate,
  formatMoney,
  formatNumber,
  formatPercent,
  type Locale,
  localTime,
  offsetOfDay,
  parseLocale,
  textDirection,
} from "@slipway/sdk";
import t from "tap";

function locale(text: string): Locale {
  const parsed = parseLocale(text);
  if (!parsed) throw new Error(`${text} is not a locale`);
  return parsed;
}

/** Locales separate with several kinds of blanks; their kind differs between versions of the runtime. */
function plainBlanks(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

t.test("locales are read in the forms that clients write", (t) => {
  t.strictSame(locale("de_DE"), { tag: "de-DE", language: "de", region: "DE" });
  t.strictSame(locale("de-DE"), locale("de_DE"));
  t.strictSame(locale("de"), { tag: "de", language: "de", region: undefined });
  t.strictSame(locale("EN_us"), { tag: "en-US", language: "en", region: "US" });
  t.strictSame(locale("sr_Latn_RS"), { tag: "sr-Latn-RS", language: "sr", region: "RS" });
  t.equal(locale("iw_IL").language, "he", "outdated codes become today's");
  for (const text of ["", "d", "de_DE.UTF-8", "de_", "german", "de-DE-u-nu-arab", "../de", "de DE"]) {
    t.equal(parseLocale(text), undefined, JSON.stringify(text));
  }
  t.end();
});

t.test("directions follow language and script", (t) => {
  const leftToRight = ["de", "en_US", "ur_Latn", "pa_IN", "az_AZ", "ku_TR", "hi", "ja", "und", "zxx"];
  const rightToLeft = [
    "ar_EG",
    "he",
    "iw",
    "fa_IR",
    "ur",
    "yi",
    "dv",
    "ckb",
    "ps",
    "sd",
    "ug",
    "syr",
    "nqo",
    "arc",
  ];
  const byScriptOrRegion = ["az_Arab", "ku_Arab_IQ", "pa_PK", "uz_AF", "az_IR", "ff_Adlm"];
  const wrong = [
    ...leftToRight.filter((text) => textDirection(locale(text)) !== "ltr"),
    ...[...rightToLeft, ...byScriptOrRegion].filter((text) => textDirection(locale(text)) !== "rtl"),
  ];
  t.strictSame(wrong, []);
  t.end();
});

t.test("money is the code, a blank and the number with the digits of the currency", (t) => {
  t.equal(formatMoney(locale("en_GB"), "1349.13", "GBP"), "GBP 1,349.13");
  t.equal(formatMoney(locale("de_DE"), "1349.1", "EUR"), "EUR 1.349,10");
  t.equal(formatMoney(locale("en_US"), "-1349.13", "USD"), "USD -1,349.13");
  t.equal(formatMoney(locale("en_US"), "1349.6", "JPY"), "JPY 1,350");
  t.equal(formatAmount(locale("en_US"), "1.2345", "BHD"), "1.235");
  t.equal(formatAmount(locale("hu"), "1349.25", "HUF").slice(-3), ",25", "as computed, not as cash");
  t.equal(formatAmount(locale("en_US"), "-0.001", "EUR"), "0.00", "no negative zero");
  t.equal(formatAmount(locale("es_ES"), "1349.5", "EUR"), "1.349,50", "grouped below 10,000 everywhere");
  t.throws(() => formatMoney(locale("en"), "1", "Euro"), { message: /currency: .*"Euro"/ });
  t.end();
});

t.test("numbers are exact and never binary", (t) => {
  t.equal(formatNumber(locale("en"), "1.005", { digits: 2 }), "1.01");
  t.equal(formatNumber(locale("en"), "-1.005", { digits: 2 }), "-1.01");
  t.equal(formatNumber(locale("en"), "12345678901234567890.125"), "12,345,678,901,234,567,890.125");
  t.equal(formatNumber(locale("en"), "2.500"), "2.5");
  t.equal(formatAmount(locale("en"), `${"1".repeat(120)}.00`, "EUR").replaceAll(",", "").length, 123);
  t.match(formatNumber(locale("de_CH"), "1234567"), /^1['’]234['’]567$/);
  t.equal(plainBlanks(formatNumber(locale("fr"), "-1234.5")), "-1 234,5");
  for (const text of ["ar_EG", "fa", "bn", "mr", "he", "zh_CN", "pl"]) {
    t.match(formatNumber(locale(text), "1234.5"), /^1.234[.,]5$/, `${text} has the digits that fonts have`);
  }
  for (const text of ["", "abc", "1e5", "1.", ".5", "--1", "1.2.3", "NaN", "1,5", "1".repeat(251)]) {
    t.throws(() => formatNumber(locale("en"), text), { message: /decimal number as text/ }, text);
  }
  t.throws(() => formatNumber(locale("en"), "1", { digits: 21 }), { message: /digits/ });
  t.end();
});

t.test("percentages keep their digits", (t) => {
  t.equal(formatPercent(locale("en"), "20"), "20%");
  t.equal(plainBlanks(formatPercent(locale("de"), "-7.75")), "-7,75 %");
  t.equal(formatPercent(locale("en"), "0.5"), "0.5%");
  t.equal(formatPercent(locale("en"), "5"), "5%");
  t.end();
});

t.test("dates are those of UTC in three styles", (t) => {
  t.equal(formatDate(locale("en_US"), "2024-07-10"), "7/10/24");
  t.equal(formatDate(locale("en_GB"), "2024-07-18"), "18/07/24");
  t.equal(formatDate(locale("de"), "2024-07-18"), "18.07.24");
  t.equal(formatDate(locale("sv"), "2024-07-18"), "2024-07-18", "where the year comes first it is complete");
  t.equal(formatDate(locale("th"), "2024-07-18", "short"), "18/7/24", "the calendar is the Gregorian one");
  t.equal(formatDate(locale("ar_EG"), "2024-07-18").replaceAll(/[^0-9]+/g, "."), "18.7.24");
  t.equal(formatDate(locale("en_US"), "2024-07-10", "medium"), "Jul 10, 2024");
  t.equal(formatDate(locale("de_DE"), "2024-07-10", "long"), "10. Juli 2024");
  t.equal(formatDate(locale("en_GB"), "2024-07-18T00:30:00+02:00"), "17/07/24");
  t.equal(formatDate(locale("en_GB"), "2024-07-18T23:59:59"), "18/07/24", "without an offset it is UTC");
  for (const text of ["18.07.2024", "2024-13-01", "", "now"]) {
    t.throws(() => formatDate(locale("en"), text), { message: /ISO date/ }, text);
  }
  t.end();
});

t.test("a language that the runtime does not know is formatted as English", (t) => {
  t.equal(formatNumber(locale("xx_YY"), "1234.5"), "1,234.5");
  t.equal(formatDate(locale("xx"), "2024-07-10"), "7/10/24");
  t.end();
});

t.test(
  "the local time of a zone has its offset at that moment, also where another day or month begins there",
  (t) => {
    const expected: [moment: string, zone: string, local: string][] = [
      ["2026-01-31T23:30:15Z", "Europe/Berlin", "20260201 003015 +0100"],
      ["2026-06-30T22:30:00Z", "Europe/Berlin", "20260701 003000 +0200"],
      ["2026-03-29T00:59:59Z", "Europe/Berlin", "20260329 015959 +0100"],
      ["2026-03-29T01:00:00Z", "Europe/Berlin", "20260329 030000 +0200"],
      ["2026-02-28T20:00:00Z", "Asia/Kolkata", "20260301 013000 +0530"],
      ["2025-12-31T10:00:00Z", "Pacific/Kiritimati", "20260101 000000 +1400"],
      ["2026-03-01T10:00:00Z", "Pacific/Pago_Pago", "20260228 230000 -1100"],
      ["2026-01-01T03:00:00Z", "America/St_Johns", "20251231 233000 -0330"],
      ["2026-05-04T12:00:00Z", "UTC", "20260504 120000 +0000"],
    ];
    for (const [moment, zone, local] of expected) {
      const { day, time, offset } = localTime(new Date(moment), zone);
      t.equal(`${day} ${time} ${offset}`, local, `${moment} in ${zone}`);
    }
    t.equal(offsetOfDay("20261025", "Europe/Berlin"), "+0100", "the day on which summer time ends");
    t.equal(offsetOfDay("20261024", "Europe/Berlin"), "+0200");
    t.end();
  },
);
