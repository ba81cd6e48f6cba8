import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readObx } from "@slipway/sdk";
import { ZipArchive } from "archiver";
import t from "tap";
import { type ReadItemProperties, readByClientLibrary } from "../../compatibility/client-library-reader.js";
import { OexClient } from "../../plugins/oex-client.js";
import { inventoryOf } from "../../sdk/file-inventory.js";
import { repository, startHost } from "../../start-host.js";

const fixture = (name: string): Promise<string> =>
  readFile(join(repository, "test/fixtures/project-files", name), "utf8");

/** The fixture as an OBK whose articles are all part of an order. */
async function orderedProject(): Promise<Buffer> {
  const basket = (await fixture("current/1.bsk")).replace(
    / (nonOrderArticle|nonOfferArticle|pseudoArticle)='1'/g,
    "",
  );
  const archive = new ZipArchive();
  archive.append(basket.replace(/<exclOffers>.*<\/exclOffers>|<mainItem id='77.*\/>/g, ""), {
    name: "1.bsk",
  });
  archive.append(await fixture("current/metainf.xml"), { name: "metainf.xml" });
  const finished = archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return Buffer.concat(chunks);
}

function articleOf(items: readonly ReadItemProperties[], id: string): ReadItemProperties {
  const found = items.find(({ itemId }) => itemId === id);
  if (found === undefined) throw new Error(`the client library finds no item ${id}`);
  return found;
}

t.test("an exported OBX leads back to the product data", async (t) => {
  const host = await startHost();
  t.teardown(() => host.stop());
  const client = new OexClient(host.url);

  const files: [name: string, project: Buffer, article: string][] = [
    ["OBK", await orderedProject(), "41bf0f43-1e68-4d6d-9d60-6a2471b251e8"],
    ["OBX", Buffer.from(await fixture("articles.obx")), "a1bf0f43-1e68-4d6d-9d60-6a2471b251e8"],
  ];
  for (const [name, project, article] of files) {
    const sessionId = await client.open(new Uint8Array(project));
    // A quotation needs an address, and an exchange file has none.
    for (const documentType of name === "OBX" ? ["ORDERS"] : ["ORDERS", "QUOTES"]) {
      const { obx, oex } = await client.exported(sessionId, { documentType, oexVersion: "3.1" });
      if (obx === undefined || oex === undefined) throw new Error("an OBX and an OEX were exported");
      const text = Buffer.from(obx.bytes).toString("utf8");
      const parts = [...inventoryOf(text).keys()];
      const has = (part: RegExp): boolean => parts.some((each) => part.test(each));
      t.ok(has(/\/pdInfo\/@progId = @oak_desks$/), `${name} ${documentType}: program`);
      t.ok(has(/\/pdInfo\/@manufacturerId = OAK$/), "the ids of the product data, not the commercial ones");
      t.ok(has(/\/pdInfo\/@seriesId = DESKS$/));
      t.ok(has(/\/pdInfo\/@pkgName = ::ofml::/));
      t.ok(has(/\/description\/@default = 1$/), "which description is the usual one");
      t.ok(has(/\/catalogInfo\/@varCode/));
      t.ok(has(/\/inconsistency\/text = Legs do not fit$/), "reasons where other programs look for them");
      const hidden =
        /artCalc|predefVendorDiscount|predefItemDiscount|priceInfo|futureInfo|itemPrice\/@override/;
      t.notOk(has(hidden), "no discounts, and nothing that may be one");
      t.notOk(has(/itemPrice\/@value = (280|380|260|270)$/), "no price but list prices");
      if (documentType === "QUOTES")
        t.notOk(has(/itemPrice\/@type = purchase$/), "purchase prices stay inside");
      if (name === "OBK") {
        t.ok(has(/\/pdInfo\/@salesOnly = true$/));
        t.ok(has(/\/catalogInfo\/@version = 1\.0\.9$/));
        t.ok(has(/\/propVarCode = Colour=@red;Legs=2;Note="a < b & c"$/));
        t.ok(has(/\/geometryChecksum\/@aggr = 1$/));
        t.ok(has(/\/composableGeometry\/position\/@z = 3$/));
      }
      const items = await readByClientLibrary(text, ["en"]);
      t.match(
        articleOf(items, article),
        {
          label: "Desk of oak",
          article: {
            manufacturerId: "OAKC",
            manufacturerName: "Oak & Co",
            seriesName: "Desks",
            manufacturer: "oak",
            program: "desks",
            baseArticleNumber: "D-1",
            finalArticleNumber: "D-1-R",
            useFinalArticleNumber: true,
            variantCode: "D-1@red  2",
            shortText: "Desk",
            longText: "Desk of oak",
            featureText: "Colour: red",
            inconsistencyFlag: true,
          },
        },
        `${name} ${documentType}: the client library reads it`,
      );
      const before = await readByClientLibrary(
        name === "OBX" ? project.toString("utf8") : await fixtureAsExchangeFile(),
        ["en"],
      );
      const [was, is] = [articleOf(before, article), articleOf(items, article)];
      for (const member of [
        "manufacturer",
        "program",
        "distributionRegion",
        "geometryId",
        "ofmlVariantCode",
      ] as const) {
        t.equal(is.article?.[member], was.article?.[member], `${member} is what the library read before`);
      }
      t.equal(is.label, was.label);
      t.same(is.composableGeometry, was.composableGeometry);

      const embedded = Buffer.from(oex.bytes).toString("utf8");
      t.match(embedded, /cutBuffer/, "the OEX has the OBX of each article");
      t.match(embedded, /progId="@oak_desks"/, "which lead to the product data, too");
      t.notMatch(embedded, /artCalc|predefVendorDiscount|&lt;itemPrice|<itemPrice/, "without prices");
    }
  }
});

/** The items of the OBK fixture as an exchange file. */
async function fixtureAsExchangeFile(): Promise<string> {
  const [items = ""] = /<topFolder[\s\S]*<\/topFolder>/.exec(await fixture("current/1.bsk")) ?? [];
  return `<cutBuffer><items>${items}</items></cutBuffer>`;
}

t.test("what a session keeps of a file cannot become more than that", async (t) => {
  const host = await startHost();
  t.teardown(() => host.stop());
  const open = (project: unknown): Promise<Response> =>
    fetch(`${host.url}/api/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(project),
    });
  const { project } = await readObx(Buffer.from(await fixture("articles.obx")));
  const withKept = (kept: unknown) => ({
    ...project,
    items: project.items.map((item, index) => (index === 0 ? { ...item, kept } : item)),
  });
  for (const name of ["a b", "x:y", "a><bskArticle/", "", "1a"]) {
    t.equal((await open(withKept({ elements: [{ name }] }))).status, 400, `an element "${name}"`);
    t.equal((await open(withKept({ attributes: { [name]: "v" } }))).status, 400, `an attribute "${name}"`);
  }
  t.equal((await open(withKept({ elements: [{ name: "ok", text: "<bskArticle/>" }] }))).status, 201);
});
