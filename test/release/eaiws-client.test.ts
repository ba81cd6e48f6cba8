/** The vendor's client library, unchanged, with everything that a client does with a project file. */
import { manyArticles } from "@slipway/sdk/testing";
import t from "tap";
import { clientLibrary, type LibraryValue } from "../compatibility/session-client.js";
import { loaded, projectOf } from "../host/eaiws-support.js";
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
  await t.rejects(late.session.getLocale(), { name: "SoapError", message: /is not active/ });
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
