import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestHost, emptyProject, smallOffice, type TestHost } from "@slipway/sdk/testing";
import config from "../config.json" with { type: "json" };
import plugin from "../index.js";

let host: TestHost;
before(async () => {
  host = await createTestHost({ plugin, config, now: "2026-03-02T09:30:00Z" });
});
after(() => host.stop());

test("a summary has the name and the number of positions", async () => {
  const session = await host.openSession(smallOffice());
  const answer = await host.post("summary.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, { name: "Small office", positions: 3 });
});

test("a project without a name is told to the client, who gets an answer all the same", async () => {
  const session = await host.openSession(emptyProject());
  const answer = await host.post("summary.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.errors.map(({ id }) => id),
    ["project-name-missing"],
  );
});

test("a price list is a CSV file with a line for each position", async () => {
  const session = await host.openSession(smallOffice(), { locale: "en_GB" });
  const answer = await host.post("price-list.json", { sessionId: session.id });
  assert.equal(answer.status, 200, answer.text);
  const file = host.file(answer.json["url"]);
  assert.equal(file.name, "prices-2026-03-02.csv");
  assert.equal(file.mediaType, "text/csv; charset=utf-8");
  assert.equal(file.text(), "");
});

test("a project without positions has no price list", async () => {
  const session = await host.openSession(emptyProject());
  const answer = await host.post("price-list.json", { sessionId: session.id });
  assert.equal(answer.status, 422);
  assert.equal(answer.error?.id, "project-empty");
});

test("a request without a session is refused", async () => {
  const answer = await host.post("price-list.json", {});
  assert.equal(answer.status, 400);
});
