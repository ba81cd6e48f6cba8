/** Sessions for clients of EAIWS: what the vendor's client library writes, the requests of public clients, and hostile ones. */
import t from "tap";
import { clientLibrary, type LibraryValue } from "../../compatibility/session-client.js";
import { newKey } from "../../host/access-support.js";
import { call, envelope, loaded, namespaces, projectOf, realObk, send } from "../../host/eaiws-support.js";
import { demoFile } from "../../host/sessions-support.js";
import { startHost } from "../../start-host.js";

const none = { plugins: [], templates: [] };
const host = await startHost(none);
t.teardown(host.stop);

t.test("what the client library writes is in the project, and in the saved file", async (t) => {
  const library = await clientLibrary();
  const session = await loaded(library, host.url, await realObk());
  const { project, basket } = session;
  const value = (name: string, members: LibraryValue) => library.value("project", name, members);
  const mail = value("CommAddress", { value: "mü@example.com", type: "EMail", scope: "Business" });
  const contact = value("ContactData", { firstName: "Ann", contactType: "Client", commAddresses: [mail] });
  const address = value("AddressData", {
    addressType: "SoldTo",
    name1: 'Müller & <Söhne> "GmbH"',
    street: "A/B 1",
    commAddresses: [mail],
    contacts: [contact],
  });
  const text = (language: string, words: string) =>
    value("ProjectText", {
      type: "HeaderText",
      texts: [value("FormattedText", { value: words, language, format: "Plain" })],
    });
  // At once, as clients do: none of them may be lost.
  await Promise.all([
    project.setAddressData(address),
    project.setProjectText(text("en", "Dear/all,\n\n  hello"), true),
    project.setProjectText(text("de", "Hallo"), true),
    project.setProjectData(
      value("ProjectData", {
        projectName: "Moved",
        projectNumber: "P-7",
        keywords: ["a", "b"],
        validToDate: "2027-01-31",
        created: "2026-01-02T03:04:05+02:00",
        projectState: "Offered",
      }),
    ),
    basket.setCurrency("EUR"),
    basket.setLanguages(["de", "en"]),
  ]);
  await basket.selectCurrentTaxScheme("ZZ");
  t.match(await project.getProjectData(), {
    projectName: "Moved",
    projectNumber: "P-7",
    keywords: ["a", "b"],
    validToDate: "2027-01-31",
    created: "2026-01-02T01:04:05.000Z",
    projectState: "Offered",
    languages: ["de", "en"],
  });
  t.match(await project.getAddressData(["SoldTo"]), [
    {
      name1: 'Müller & <Söhne> "GmbH"',
      street: "A/B 1",
      commAddresses: [{ value: "mü@example.com", type: "EMail" }],
      contacts: [{ firstName: "Ann", contactType: "Client", commAddresses: [{ value: "mü@example.com" }] }],
    },
  ]);
  const [header] = await project.getProjectTexts("HTML", ["HeaderText"]);
  t.match(header, {
    texts: [{ value: "Dear/all,<br/><br/>  hello", language: "en", format: "HTML" }, { language: "de" }],
  });
  t.equal(await basket.getCurrency(), "EUR");
  t.strictSame(await basket.getLanguages(), ["de", "en"]);
  t.equal(await basket.getCurrentTaxScheme(), "ZZ");

  const [view] = await basket.getBasketViewConfigs();
  await basket.changeBasketViewConfig(
    Object.assign(view ?? {}, { mergeMode: "Articles", textItemsVisible: false }),
  );
  t.match((await basket.getBasketViewConfigs())[0], { mergeMode: "Articles", textItemsVisible: false });
  t.strictSame(await project.removeAddressData(["ShipTo", "SoldTo"]), ["SoldTo"]);
  t.ok(
    (await project.getContactData()).some(({ firstName }) => firstName === "Ann"),
    "a contact is of the project",
  );

  const before = await projectOf(host, session.sessionId);
  await session.session.loadSession(await session.session.saveSession(null));
  t.strictSame(await projectOf(host, session.sessionId), before);

  const ids = (await basket.getAllItems()).map(({ itemId }) => String(itemId));
  const copied = await loaded(library, host.url, await (await fetch(await basket.copy(ids))).blob());
  t.strictSame(
    (await copied.basket.getAllItems()).map(({ itemId }) => itemId),
    ids,
  );
  await t.rejects(session.session.getSessionLog(true), {
    name: "SoapError",
    message: /has no operation getSessionLog/,
  });
  await t.rejects(basket.selectCurrentTaxScheme("XX"), { message: /schemeId` must be one of .*ZZ/ });
});

t.test("the requests of public clients are answered at each address that they use", async (t) => {
  for (const base of [host.url, `${host.url}/EAIWS`]) {
    const opened = await call(
      base,
      "Session",
      "openSession",
      '<args xmlns=""><first>-locale</first><second>en_GB</second></args>',
    );
    const [id = ""] = opened.results;
    const own = `<sessionId xmlns="">${id}</sessionId>`;
    t.match(await call(base, "Session", "keepAlive", own), { status: 200, results: ["true"] });
    const filled = await call(
      base,
      "Project",
      "setProjectData",
      `${own}<data xmlns="" projectState="InProgress" created="2026-11-24T10:00:00Z" validToDate="2026-12-24">` +
        "<projectName>Quote 1&#x2F;2</projectName><projectNumber>4711</projectNumber>" +
        "<externalReferenceNumber>CRM-1</externalReferenceNumber><keywords><keyword>a</keyword></keywords>" +
        "<company>ACME</company><customerNumber>9</customerNumber><languages><language>en</language></languages>" +
        '<addresses><address addressType="SoldTo"><name1>ACME</name1><contacts><contact id="0" contactType="Client">' +
        '<lastName>Doe</lastName><commAddresses><commAddress type="EMail" scope="Business">a@b.c</commAddress>' +
        "</commAddresses></contact></contacts></address></addresses></data>",
    );
    t.match(filled, { status: 200, results: [] });
    t.match(await call(base, "Basket", "setCurrency", `${own}<currency xmlns="">GBP</currency>`), {
      status: 200,
    });
    t.match(await call(base, "Basket", "selectCurrentTaxScheme", `${own}<schemeId xmlns="">ZZ</schemeId>`), {
      status: 200,
    });
    const project = await (await fetch(`${host.url}/api/sessions/${id}/project`)).json();
    t.match(project, {
      header: { name: "Quote 1/2", number: "4711", state: "InProgress", validTo: "2026-12-24" },
      settings: { currency: "GBP", taxScheme: { id: "ZZ" } },
      addresses: [{ addressType: "SoldTo", contactIds: [1] }],
      contacts: [{ id: 1, lastName: "Doe", commAddresses: [{ value: "a@b.c" }] }],
    });
    const [url = ""] = (
      await call(base, "Session", "getUploadURL", `${own}<fileType xmlns="">Project</fileType>`)
    ).results;
    const put = await fetch(url, { method: "PUT", body: await realObk() });
    t.match([put.status, await put.text()], [204, ""]);
    const uri = `<uri xmlns="">${url.replaceAll("/", "&#x2F;")}</uri>`;
    t.match(await call(base, "Session", "loadSession", own + uri), { status: 200 });
    t.equal((await fetch(url, { method: "DELETE" })).status, 204);
    t.match(await call(base, "Session", "loadSession", own + uri), {
      status: 500,
      fault: /uri` must be an address/,
    });
    const sheets = await call(
      base,
      "Basket",
      "getPriceCalculationSheets",
      `${own}<itemIds xmlns=""></itemIds><ppName xmlns="">STDB2B_WBK</ppName>`,
    );
    t.match(sheets.text, /<return id=""><sheet currency="/, "one empty id asks for the sheet of the project");
    t.match(await call(base, "Session", "closeSession", own), { status: 200, results: [] });
    t.match(await call(base, "Session", "getLocale", own), {
      status: 500,
      fault: /is unknown or has expired/,
    });
  }
  t.match(await call(`${host.url}/9.9.9`, "Session", "openSession"), { status: 500, fault: /nothing at/ });
});

t.test("hostile and mistaken requests get faults, and the host stays", async (t) => {
  const open = envelope(namespaces.Session, "openSession", "");
  const [id = ""] = (await send(host.url, "Session", open)).results;
  const own = `<sessionId xmlns="">${id}</sessionId>`;
  const bomb = `<!DOCTYPE x [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]>`;
  const mistakes: [name: string, body: string | Uint8Array<ArrayBuffer>, fault: RegExp][] = [
    [
      "an entity bomb",
      bomb + open.replace("</openSession>", "&b;</openSession>"),
      /document type declaration is not allowed/,
    ],
    [
      "an unknown entity",
      open.replace("</openSession>", "&b;</openSession>"),
      /line 1, column \d+: undefined entity/,
    ],
    [
      "deep nesting",
      envelope(namespaces.Session, "openSession", "<a>".repeat(100_000)),
      /nested deeper than 32 levels/,
    ],
    [
      "many elements",
      envelope(namespaces.Session, "openSession", "<a/>".repeat(150_000)),
      /more than 100000 elements/,
    ],
    ["no XML", "{}", /line 1/],
    ["nothing", "", /Envelope|line 1/],
    [
      "no UTF-8",
      Uint8Array.from(Buffer.from(open.replace("openSession ", "openSessi\u00f6n "), "latin1")),
      /text in UTF-8/,
    ],
    [
      "SOAP 1.2",
      open.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"),
      /not a SOAP 1\.1 envelope.*2003/,
    ],
    ["two operations", open.replace("</s:Body>", "<again/></s:Body>"), /one element in the Body/],
    [
      "a foreign namespace",
      open.replace(namespaces.Session, "urn:other"),
      /no operation openSession of "urn:other"/,
    ],
    [
      "an unknown operation",
      envelope(namespaces.Session, "rebootServer", ""),
      /no operation rebootServer; it has openSession/,
    ],
    [
      "__proto__",
      envelope(namespaces.Session, "keepAlive", `${own}<__proto__ xmlns=""><a/></__proto__>`),
      /__proto__` is not a known field/,
    ],
    [
      "an unknown parameter",
      envelope(namespaces.Session, "keepAlive", `${own}<force xmlns="">1</force>`),
      /keepAlive\.force` is not a known field/,
    ],
    ["a parameter twice", envelope(namespaces.Session, "keepAlive", own + own), /sessionId` must be a uuid/],
    ["no session", envelope(namespaces.Session, "getLocale", ""), /getLocale\.sessionId` is missing/],
    [
      "a wrong value",
      envelope(namespaces.Session, "getUploadURL", `${own}<fileType xmlns="">Movie</fileType>`),
      /fileType` must be one of/,
    ],
    [
      "what is not there",
      envelope(
        namespaces.Session,
        "saveSession",
        `${own}<uri xmlns=""/><options xmlns=""><omitPriceData>true</omitPriceData></options>`,
      ),
      /omitPriceData` must be false/,
    ],
    [
      "a file of another server",
      envelope(namespaces.Session, "loadSession", `${own}<uri xmlns="">http://169.254.169.254/</uri>`),
      /uri` must be an address/,
    ],
  ];
  for (const [name, body, fault] of mistakes) {
    const answer = await send(host.url, "Session", body);
    t.match(answer, { status: 500, fault }, name);
    t.match(answer.text, /<detail><error id="request-[a-z-]+" code="4\d\d"\/><\/detail>/, name);
    t.notMatch(answer.text, /\n *at |\.ts|\.js/, name);
  }
  const large = await send(host.url, "Session", open.padEnd(2_000_000));
  t.match(large, { status: 413, fault: /larger than the 1048576 bytes/ });
  t.match(await send(host.url, "Session", open, { "Content-Type": "text/plain" }), {
    status: 415,
    fault: /text\/xml/,
  });
  t.match(await send(host.url, "Catalog", open), {
    status: 500,
    fault: /Catalog has no operation openSession/,
  });
  t.match(await send(host.url, "Other", open), { status: 500, fault: /nothing at/ });
  t.equal((await fetch(`${host.url}/EAIWS/EAI/Session?wsdl`)).status, 500);
  t.match(await send(host.url, "Session", envelope(namespaces.Session, "getLocale", own)), {
    status: 200,
    results: ["en"],
  });
});

t.test("items are pasted where the client says, once, or not at all", async (t) => {
  const library = await clientLibrary();
  const session = await loaded(library, host.url, new Blob([Uint8Array.from(await demoFile("obk"))]));
  const { basket } = session;
  const ids = async (): Promise<string[]> => (await basket.getAllItems()).map(({ itemId }) => String(itemId));
  const before = await ids();
  const [folder = "", other = ""] = (await basket.getAllItems())
    .filter(({ itemType }) => itemType === "Folder")
    .map(({ itemId }) => String(itemId));
  const views = (await basket.getBasketViewConfigs()).map(({ viewId }) => viewId);
  const listed = async (viewId: unknown): Promise<number> =>
    (await basket.getAllItems(undefined, library.value("basket", "GetAllItemsOptions", { viewId }))).length;
  const counts = await Promise.all(views.map(listed));

  const obx = await basket.copy([folder]);
  const [pasted = "", ...others] = await basket.paste(null, null, obx);
  t.strictSame(others, [], "the folder; its items are parts of it");
  const after = await ids();
  t.strictSame(after.slice(0, before.length), before, "at the end");
  t.equal(after[before.length], pasted);
  t.equal(new Set(after).size, after.length, "with ids of their own");
  const size = after.length - before.length;
  for (const [index, view] of views.entries()) t.ok((await listed(view)) > (counts[index] ?? 0), "in views");

  const [inner = ""] = await basket.paste(folder, after[after.indexOf(folder) + 1] ?? "", obx);
  t.equal((await ids()).indexOf(inner), before.indexOf(folder) + 1, "into a folder, before an item");
  const [again = ""] = await basket.paste(await basket.getTopFolderId(), other, obx);
  t.equal((await ids()).indexOf(again), (await ids()).indexOf(other) - size);
  const empty = library.newSession();
  await empty.open(host.url, { keepAliveInterval: null });
  const reusing = library.value("basket", "PasteOptions", { reuseItemIds: true });
  t.strictSame(await empty.basket.paste(null, null, obx, reusing), [folder]);
  t.not((await empty.basket.paste(null, null, obx, reusing))[0], folder, "an id is there once");

  const put = (text: string | Blob) => session.uploadFile("CutBuffer", new Blob([text]));
  const text = await (await fetch(obx)).text();
  const state = await projectOf(host, session.sessionId);
  const mistakes: [name: string, call: () => Promise<unknown>, fault: RegExp][] = [
    [
      "a folder that is not there",
      async () => basket.paste(again.replace(/.$/, "x"), null, obx),
      /fatherId` must be the id of a folder/,
    ],
    [
      "an article as folder",
      async () => basket.paste(before.at(-1) ?? "", null, obx),
      /fatherId` must be the id of a folder/,
    ],
    [
      "an item elsewhere",
      async () => basket.paste(other, folder, obx),
      /beforeId` must be the id of an item in this folder/,
    ],
    [
      "another server",
      () => basket.paste(null, null, "http://169.254.169.254/a.obx"),
      /uri` must be an address/,
    ],
    [
      "an OBK",
      async () => basket.paste(null, null, await put(await realObk())),
      /at `uri` has no items to paste/,
    ],
    [
      "a foreign currency",
      async () => basket.paste(null, null, await put(text.replaceAll("EUR", "CHF"))),
      /currencies EUR, SEK/,
    ],
    [
      "an entity",
      async () =>
        basket.paste(
          null,
          null,
          await put(text.replace(/\?>/, '?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>')),
        ),
      /document type|DOCTYPE|entity/i,
    ],
    ["no end", async () => basket.paste(null, null, await put(text.slice(0, -20))), /line/],
    ["another project", () => session.project.closeProjects([again]), /has only the project .* open/],
    ["no context", () => session.session.disposeSessionContext(again), /unknown or has expired/],
    ["no context to look at", () => session.session.getSessionContext(again), /unknown or has expired/],
  ];
  for (const [name, call, fault] of mistakes)
    await t.rejects(call(), { name: "SoapError", message: fault }, name);
  t.strictSame(await projectOf(host, session.sessionId), state, "and nothing has changed");

  const swiss = library.newSession();
  await swiss.open(host.url, { keepAliveInterval: null });
  await swiss.basket.paste(null, null, await put(text.replaceAll("EUR", "CHF")));
  t.equal(await swiss.basket.getCurrency(), "CHF", "an empty project takes the currency over");

  const context = await session.session.newSessionContext();
  const key = (await session.session.getSessionContext(context))["projectKey"];
  t.match(await projectOf(host, context), { id: key, settings: { currency: "EUR" }, items: [] });
  await session.project.closeProjects([
    String((await session.session.getSessionContext(session.sessionId))["projectKey"]),
  ]);
  t.strictSame(await ids(), []);
  await session.session.disposeSessionContext(context);
  t.equal((await fetch(`${host.url}/api/sessions/${context}`)).status, 404);
});

t.test("each operation that clients know is served, or its fault names it", async (t) => {
  const library = await clientLibrary();
  const session = await loaded(library, host.url, await realObk());
  const { sessionId } = session;
  const all = { ...namespaces, Catalog: "http://catalog.ws.eai.egr/" };
  const served: string[] = [];
  for (const [name, namespace] of Object.entries(all)) {
    const service: unknown = Reflect.get(session, name.toLowerCase());
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(service));
    const operations = methods.filter((each) => /^[a-z]/.test(each) && each !== "constructor");
    t.ok(operations.length > 5, name);
    for (const operation of operations) {
      // No operation has this parameter, so that those which are served do nothing.
      const parameters = `<sessionId xmlns="">${sessionId}</sessionId><nothing xmlns=""/>`;
      const answer = await send(host.url, name, envelope(namespace, operation, parameters));
      t.equal(answer.status, 500);
      if (answer.fault?.includes(`${operation}.nothing\` is not a known field`)) served.push(operation);
      else t.match(answer.fault, `The service ${name} has no operation ${operation}; it has `);
    }
  }
  t.ok(served.length > 30);
  t.equal(await session.close(), true);
});

t.test("keys, origins and the setting count as for the rest of the API", async (t) => {
  const host = await startHost({
    ...none,
    configuration: { sessions: { maximumSessions: 1 } },
  });
  t.teardown(host.stop);
  const foreign = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" };
  t.match(await call(host.url, "Session", "openSession", "", foreign), {
    status: 403,
    fault: /A page of another origin/,
  });
  const [id = ""] = (await call(host.url, "Session", "openSession")).results;
  t.match(await call(host.url, "Session", "openSession"), { status: 503, fault: /Too many sessions/ });
  const own = `<sessionId xmlns="">${id}</sessionId>`;
  const [url = ""] = (
    await call(host.url, "Session", "getUploadURL", `${own}<fileType xmlns="">Import</fileType>`)
  ).results;

  const key = await newKey(t, host.var, "clients", "--role", "sessions");
  await host.logged(({ msg }) => /key/i.test(String(msg)));
  t.match(await call(host.url, "Session", "getLocale", own), { status: 401, fault: /requires a key/ });
  t.match(await call(host.url, "Session", "getLocale", own, { Authorization: `Bearer ${key}` }), {
    results: ["en"],
  });
  t.equal((await fetch(url, { method: "PUT", body: "bytes" })).status, 204, "the address is enough");
  t.equal(await (await fetch(url)).text(), "bytes");
  const others = url.replace(id, "11111111-1111-4111-8111-111111111111");
  t.equal((await fetch(others, { method: "PUT", body: "bytes" })).status, 404);

  const without = await startHost({ ...none, configuration: { eaiws: { sessions: false } } });
  t.teardown(without.stop);
  t.match(await call(without.url, "Session", "openSession"), { status: 404, fault: undefined });
  t.equal((await fetch(without.url + new URL(url).pathname)).status, 404);
});
