import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestHost, emptyProject, projectOf, smallOffice, type TestHost } from "@slipway/sdk/testing";
import config from "../config.json" with { type: "json" };
import plugin from "../index.js";

let host: TestHost;
before(async () => {
  const folder = new URL("..", import.meta.url);
  host = await createTestHost({ plugin, config, folder, now: "2026-03-02T09:30:00Z" });
});
after(() => host.stop());

test("a summary has the name of the project and the number of its positions", async () => {
  const session = await host.openSession(smallOffice());
  const answer = await host.post("summary.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, { name: "Harbour office", positions: 4 });
});

test("a client is told of a project without a name, and gets an answer all the same", async () => {
  const session = await host.openSession(projectOf({ name: "" }));
  const answer = await host.post("summary.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.errors.map(({ id, scopes }) => [id, scopes]),
    [["project-name-missing", ["WARN"]]],
  );
});

test("a price list is a CSV file with a line for each position", async () => {
  const session = await host.openSession(smallOffice(), { locale: "en_GB" });
  const answer = await host.post("price-list.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  const file = host.file(answer.json["url"]);
  assert.equal(file.name, "prices-2026-03-02.csv");
  assert.equal(file.mediaType, "text/csv; charset=utf-8");
  assert.deepEqual(file.text().trimEnd().split("\r\n"), [
    '"Position";"Article";"Description";"Quantity";"Net EUR"',
    '"1.1";"TD-160-OAK";"Desk 160 x 80";"4";"2232.00"',
    '"1.2";"PB-20";"Swivel chair";"4";"980.00"',
    '"2.1";"TD-C2";"Counter";"1";"498.00"',
    '"2.2";"PB-S";"Stool";"2";"40.00"',
  ]);
});

test("its titles are in the language of the client", async () => {
  const session = await host.openSession(smallOffice(), { locale: "de_DE" });
  const answer = await host.post("price-list.json", { sessionId: session.id });
  const [titles] = host.file(answer.json["url"]).text().split("\r\n");
  assert.equal(titles, '"Position";"Artikel";"Bezeichnung";"Menge";"Netto EUR"');
});

test("what a spreadsheet would run is a text in the file", async () => {
  const session = await host.openSession(
    projectOf({ items: [{ article: "A-1", text: "=1+1", sales: "10.00" }] }),
  );
  const answer = await host.post("price-list.json", { sessionId: session.id });
  assert.match(host.file(answer.json["url"]).text(), /"'=1\+1"/);
});

test("a project without positions has no price list", async () => {
  const session = await host.openSession(emptyProject());
  const answer = await host.post("price-list.json", { sessionId: session.id });
  assert.deepEqual([answer.status, answer.error?.id], [422, "project-empty"]);
});

test("a request without a session is refused", async () => {
  const answer = await host.post("price-list.json", {});
  assert.deepEqual([answer.status, answer.error?.id], [400, "request-bad-request"]);
});
