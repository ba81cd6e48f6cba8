/** What a plugin asks for on its page, and an admin who grants it there. */
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { confirm, goTo, openAdmin, overhang, press, rowWith, says } from "../../browser/admin-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

const code = `import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, route } from "@slipway/sdk";
export default definePlugin({ setup: (host) => ({ routes: [
  route.get("price.json", {
    summary: "A price.",
    handler: () => ({ price: readFileSync(join(host.folder("prices"), "list.txt"), "utf8") }),
  }),
] }) });
`;
const manifest = {
  name: "erp",
  version: "1.0.0",
  type: "module",
  engines: { slipway: "^1.0.0" },
  slipway: {
    plugin: "erp",
    entry: "index.js",
    permissions: {
      network: { hosts: ["erp.example.com"], reason: "Sends orders to the ERP system." },
      read: { folders: ["prices"], reason: "Reads the price lists." },
      threads: { reason: "Counts in parallel." },
    },
  },
};

let host: StartedHost;
let browser: Browser;
let folder: string;

t.before(async () => {
  folder = t.testdir({ var: {}, plugins: {}, prices: { "list.txt": "1.00" }, browser: {} });
  await writeFiles(join(folder, "plugins", "erp"), {
    "package.json": JSON.stringify(manifest),
    "index.js": code,
  });
  host = await startHost({
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    configuration: { plugins: { grants: { erp: { threads: true } } } },
  });
  browser = await launchBrowser(join(folder, "browser"));
});
t.teardown(async () => {
  await browser?.close();
  await host?.stop();
});

t.test("an admin reads what a plugin asks for, grants it, and takes it back", async (t) => {
  const { page, complaints } = await openAdmin(browser, host.url);
  await goTo(page, "plugins/erp");
  await says(page, /Needs grants/);
  t.match(await rowWith(page, "erp.example.com"), /network.*Asked for.*Sends orders to the ERP system/);
  t.match(await rowWith(page, "threads"), /Granted.*configuration/);

  await press(page, "Grant …");
  await says(page, /read prices: Reads the price lists/, "dialog");
  await page.type("dialog input", "prices");
  await confirm(page);
  await says(page, /body\.read\.prices.* is "prices"/, "dialog");
  await page.$eval("dialog input", (input) => input.select());
  await page.type("dialog input", join(folder, "prices"));
  await confirm(page);
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await says(page, /Serves 1\.0\.0/);
  const answer = await fetch(`${host.url}/EAIWS/plugins/erp/price.json`);
  t.same(await answer.json(), { price: "1.00" });
  t.match(await rowWith(page, "erp.example.com"), /Granted.*An admin/);

  await press(page, "Revoke …");
  await confirm(page);
  await says(page, /Needs grants/);
  t.match(complaints, [/status of 400 \(Bad Request\) .*\/api\/plugins\/erp\/grants$/]);
  t.equal(complaints.length, 1, "the refused path");

  const narrow = await openAdmin(browser, host.url, 400);
  await goTo(narrow.page, "plugins/erp");
  await says(narrow.page, /Counts in parallel|Reads the price lists/);
  t.equal(await overhang(narrow.page), 0);
});
