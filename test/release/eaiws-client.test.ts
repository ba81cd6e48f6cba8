/** The vendor's client library, unchanged, with everything that a client does with a project file. */
import { manyArticles } from "@slipway/sdk/testing";
import t from "tap";
import { clientLibrary, type LibraryValue } from "../compatibility/session-client.js";
import { loaded, projectOf, realObk } from "../host/eaiws-support.js";
import { demoFile } from "../host/sessions-support.js";
import { startHost } from "../start-host.js";

/** A call of a plugin as the library makes it: JSON to the address of the session's server. */
async function post(base: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

t.test("the client library opens, loads, reads, reports, exports and saves", async (t) => {
  const library = await clientLibrary();
  const host = await startHost();
  t.teardown(host.stop);
  const base = `${host.url}/EAIWS`;
  const session = await loaded(library, base, new Blob([Uint8Array.from(await demoFile("obk"))]));
  t.equal(await session.session.getLocale(), "de_DE");
  t.equal(await session.session.keepAlive(), true);

  const top = await session.basket.getTopFolderId();
  const items = await session.basket.getAllItems();
  const whole = await session.basket.getAllItems(
    [top],
    library.value("basket", "GetAllItemsOptions", { subItems: true }),
  );
  t.equal(whole.length, items.length + 1, "with the top folder");
  const listed = await (await fetch(`${host.url}/api/sessions/${session.sessionId}`)).json();
  t.match(listed, { locale: "de_DE", project: { items: items.length } });
  const options = library.value("basket", "GetItemPropertiesOptions", {
    priceInfo: true,
    positionNumbers: true,
  });
  const properties = await session.basket.getItemProperties(
    items.map(({ itemId }) => String(itemId)),
    options,
  );
  t.strictSame(
    properties.map(({ itemId }) => itemId),
    items.map(({ itemId }) => itemId),
  );
  t.ok(properties.some(({ article }) => isValue(article) && isValue(article["priceInfo"])));

  const views = await session.basket.getBasketViewConfigs();
  const config = await session.basket.getBasketConfig();
  t.strictSame(
    config["viewIds"],
    views.map(({ viewId }) => viewId),
  );
  for (const { viewId } of views) {
    const inView = await session.basket.getAllItems(
      undefined,
      library.value("basket", "GetAllItemsOptions", { viewId }),
    );
    t.ok(inView.length > 0);
  }
  const scheme = String(config["defaultCalculation"]);
  const [ofProject, ...sheets] = await session.basket.getPriceCalculationSheets(null, scheme);
  t.ok(sheets.length > 0);
  const totals = await library.totals(session, scheme, ofProject?.["sheet"]);

  const request = { sessionId: session.sessionId };
  const report = await post(base, "/plugins/Reporter/template/quote/v1/generate", request);
  const pdf = await (await fetch(String(report["url"]))).arrayBuffer();
  t.equal(Buffer.from(pdf).toString("latin1", 0, 5), "%PDF-");
  const data = await post(base, "/plugins/Reporter/template/quote/data.json", request);
  const reported = isValue(data["totals"]) ? data["totals"]["total"] : undefined;
  t.equal(Number(reported), isValue(totals["grossPrice"]) && totals["grossPrice"]["value"]);
  const exported = await post(base, "/plugins/oex/export", request);
  t.match(exported, { archive: { name: /zip$/ } });

  const before = await projectOf(host, session.sessionId);
  const saved = await session.session.saveSession(
    null,
    library.value("session", "SaveSessionOptions", { export: true }),
  );
  const again = library.newSession();
  await again.open(base, { keepAliveInterval: null });
  await again.session.loadSession(saved);
  t.strictSame(await projectOf(host, again.sessionId), before);
  t.equal(await again.close(), true);
  const { sessionId } = session;
  t.equal(await session.close(), true);
  const closed = await fetch(`${host.url}/api/sessions/${sessionId}`);
  t.equal(closed.status, 404);
  const late = library.newSession();
  late.connect(base, sessionId, null);
  t.equal(await late.session.keepAlive(), false);
  await t.rejects(late.session.getLocale(), { name: "SoapError", message: /is unknown or has expired/ });
});

function isValue(value: unknown): value is LibraryValue {
  return typeof value === "object" && value !== null;
}

t.test("a large project is opened, listed and written without loss", async (t) => {
  const library = await clientLibrary();
  const host = await startHost({ plugins: [], templates: [] });
  t.teardown(host.stop);
  const session = await loaded(library, host.url, new Blob([JSON.stringify(manyArticles(3000))]));
  const items = await session.basket.getAllItems();
  t.equal(items.filter(({ itemType }) => itemType !== "Folder").length, 3000);
  const saved = await session.session.saveSession(null);
  t.equal(await session.session.saveSession(null), saved, "what has not changed is not written again");
  const again = await loaded(library, host.url, await (await fetch(saved)).blob());
  const before = await projectOf(host, again.sessionId);
  await again.session.loadSession(await again.session.saveSession(null));
  t.strictSame(await projectOf(host, again.sessionId), before);
});

/** Items without their ids, which are others after a paste. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isValue(value)) return value;
  const parts = Object.entries(value).filter(([name]) => !/^(id|mainArticleId|setArticleId)$/.test(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutIds(part)]));
}

t.test("the client library converts files in contexts of a session, and back", async (t) => {
  const library = await clientLibrary();
  const host = await startHost({ plugins: [], templates: [] });
  t.teardown(host.stop);
  const sessions = async (): Promise<number> => {
    const answer: unknown = await (await fetch(`${host.url}/api/sessions`)).json();
    return isValue(answer) && Array.isArray(answer["sessions"]) ? answer["sessions"].length : -1;
  };
  const itemsOf = (project: unknown): unknown[] =>
    isValue(project) && Array.isArray(project["items"]) ? project["items"] : [];
  for (const [name, file, isPriced] of [
    ["of the demo", new Blob([Uint8Array.from(await demoFile("obk"))]), true],
    ["as the original writes it", await realObk(), false],
  ] as const) {
    const session = await loaded(library, `${host.url}/EAIWS`, file);
    const before = await projectOf(host, session.sessionId);
    const open = await sessions();
    const obx = await library.obkToObx(session, await session.uploadFile("Project", file));
    t.equal(await sessions(), open, "the context is gone");
    t.strictSame(await projectOf(host, session.sessionId), before, "and was another project");

    const articles = library.newSession();
    await articles.open(host.url, { locale: "de_DE", keepAliveInterval: null });
    await articles.session.loadSession(
      await articles.uploadFile("CutBuffer", await (await fetch(obx)).blob()),
    );
    const copied = itemsOf(await projectOf(host, articles.sessionId));
    t.ok(copied.length > 0);

    const obk = await library.obxToObk(session, obx, {
      taxSchemeId: "ZZ",
      pricingProcedureName: "STDB2B_WBK",
    });
    t.equal(await sessions(), open + 1);
    await session.session.loadSession(obk);
    const pasted = itemsOf(await projectOf(host, session.sessionId));
    t.strictSame(withoutIds(pasted), withoutIds(copied), name);
    const procedures = await session.basket.listPricingProcedures(true);
    t.match(procedures, [{ name: "STDB2B_WBK" }]);
    const [sheet] = await session.basket.getPriceCalculationSheets(null, "STDB2B_WBK");
    const totals = await library.totals(session, "STDB2B_WBK", sheet?.["sheet"]);
    const price = isValue(totals["netPrice"]) ? Number(totals["netPrice"]["value"]) : undefined;
    t.equal((price ?? Number.NaN) > 0, isPriced);
    await session.close();
    await articles.close();
  }
});
