/**
 * A quotation for a customer never carries purchase prices: neither on its pages nor in any stream of its PDF, whatever the
 * price flags are. An order of the same project shows that they would be found.
 */
import { isKind, PdfFormatError, readPdf } from "@slipway/sdk/runtime/pdf";
import { projectOf, readPdf as readPages } from "@slipway/sdk/testing";
import t from "tap";
import { OexClient } from "../plugins/oex-client.js";
import type { Json } from "../plugins/plugin-client.js";
import { type StartedHost, startHost } from "../start-host.js";

const locales = ["en_GB", "de_DE", "fr_FR", "nl_NL", "pl_PL", "es_ES"];
const versions = ["3.0", "3.1", "2.3"];
const files = { attachPDF: true, embedInPDF: ["OEX", "OBX"] };

let host: StartedHost;
let client: OexClient;
const sessions: string[] = [];
t.before(async () => {
  host = await startHost();
  client = new OexClient(host.url);
  for (const locale of locales) sessions.push(await client.open(quoted, locale));
});
t.teardown(() => host?.stop());

const place = { street: "High Street 1", countryCode: "GB", postalCode: "PL1", location: "Plymouth" };
const quoted = projectOf({
  languages: ["en", "de", "fr", "nl", "pl", "es"],
  discount: "5",
  addresses: { SoldTo: { name1: "Buyer", ...place }, Branch: { name1: "Seller", ...place } },
  items: [
    {
      article: "A-1",
      purchase: "7391.17",
      purchaseDiscount: "13",
      sales: "9000",
      discount: "10",
      quantity: "3",
    },
    {
      folder: "Room",
      subtotal: true,
      items: [
        {
          article: "A-2",
          purchase: "68273.59",
          sales: "80000",
          parts: [{ article: "A-3", purchase: "3571.83" }],
        },
        { set: "S-1", items: [{ article: "A-4", purchase: "5923.71", sales: "7000", quantity: "2" }] },
        { userArticle: "U-1", purchase: "8461.29", sales: "9500", status: "optional" },
      ],
    },
  ],
});

/** The purchase prices: as they are, for the quantity, less the discount, the latter for the quantity. */
const amounts = "7391.17 22173.51 6430.32 19290.96 19290.95 68273.59 3571.83 5923.71 11847.42 8461.29".split(
  " ",
);

/** An amount as any locale or format writes it: `7391.17`, `7.391,17`, `7 391,17`, `7’391.17`, `739117`. */
const purchaseAmount = new RegExp(
  amounts
    .map((amount) => amount.replace(/^(\d+)(\d{3})\.(\d+)$/, "$1[.,'’\\s]?$2[.,]?$3"))
    .map((pattern) => `(?<!\\d)${pattern}(?!\\d{3})`)
    .join("|"),
  "u",
);

/** The raw bytes of a PDF and every stream as texts; in `packed`, what is in Base64 within. */
function streamsOf(bytes: Uint8Array): { plain: string[]; packed: string[] } {
  const file = readPdf(bytes);
  const plain = [Buffer.from(bytes).toString("latin1")];
  const packed: string[] = [];
  for (const reference of file.references()) {
    const stream = file.get(reference);
    if (!isKind(stream, "stream")) continue;
    const text = textOf(() => file.content(stream));
    if (text === undefined) continue;
    plain.push(text);
    for (const each of text.match(/[A-Za-z0-9+/=\s]{60,}/g) ?? [])
      packed.push(Buffer.from(each, "base64").toString("utf8"));
  }
  return { plain, packed };
}

/** Undefined for pictures, which only their own programs unpack. */
function textOf(content: () => Uint8Array): string | undefined {
  try {
    return Buffer.from(content()).toString("utf8");
  } catch (error) {
    if (error instanceof PdfFormatError) return undefined;
    throw error;
  }
}

/** The purchase prices that a PDF carries: on its pages, in its streams, and in Base64 within those. */
async function found(bytes: Uint8Array): Promise<{ pages: string[]; plain: string[]; packed: string[] }> {
  const { text } = await readPages(bytes);
  const each = new RegExp(purchaseAmount, "gu");
  const amountsOf = (texts: string[]) => texts.flatMap((one) => one.match(each) ?? []);
  const { plain, packed } = streamsOf(bytes);
  return { pages: amountsOf([text]), plain: amountsOf(plain), packed: amountsOf(packed) };
}

async function exported(session: number, config: Json): Promise<Uint8Array> {
  const { pdf, json } = await client.exported(sessions[session % sessions.length] ?? "", {
    ...files,
    ...config,
  });
  if (pdf === undefined) throw new Error(JSON.stringify(json));
  t.equal(Array.isArray(json["embedded"]) && json["embedded"].length, 2);
  return pdf.bytes;
}

const flags = [
  "calculationPurchase",
  "calculationSales",
  "hideDiscounts",
  "hideHeaderDiscounts",
  "hidePurchaseDiscounts",
  "hideSalesDiscounts",
];
const combinations = Array.from({ length: 2 ** flags.length }, (_, number) =>
  Object.fromEntries(flags.map((flag, bit) => [flag, (number & (1 << bit)) !== 0])),
);

t.test("an order of the same project carries them, so that the test would find them", async (t) => {
  for (const [index, locale] of locales.entries())
    for (const oexVersion of versions) {
      const { pages, plain } = await found(await exported(index, { oexVersion }));
      t.ok(pages.length > 3, `${locale}: ${pages.length} on its pages`);
      t.ok(plain.length > 3, `${oexVersion}: ${plain.length} in its streams`);
    }
  // The oldest version has the OBX of each article in Base64, without prices.
  const { packed } = streamsOf(await exported(0, { oexVersion: "2.3" }));
  t.ok(packed.some((text) => text.startsWith("<cutBuffer>")));
});

for (const reporterTemplateKey of [null, "quote"])
  t.test(`quotations of the template ${reporterTemplateKey ?? "order"}`, async (t) => {
    for (const [index, combination] of combinations.entries()) {
      // Versions and languages take turns.
      const oexVersion = versions[(index + (index >> 3)) % versions.length];
      const config = { ...combination, documentType: "QUOTES", oexVersion, reporterTemplateKey };
      const amounts = await found(await exported(index + (index >> 2), config));
      t.strictSame(amounts, { pages: [], plain: [], packed: [] }, JSON.stringify(config));
    }
  });
