/** What a process took for something large goes back to the system, however soon after its start that came. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import { pluginStates } from "../host/plugin-load/host-api.js";
import { residentBytes } from "../host/plugin-load/host-memory.js";
import { pluginFiles } from "../host/plugins-support.js";
import { startHost } from "../start-host.js";

const mebibyte = 1024 ** 2;

const source = `
import { definePlugin, route } from "@slipway/sdk";

let kept = [];

export default definePlugin({
  setup: () => ({
    routes: [
      route.get("keep", {
        summary: "Keeps much for a while, as a cache does",
        handler: () => {
          kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index, text: "article " + index }));
          setTimeout(() => { kept = []; }, 30_000);
          return { kept: kept.length };
        },
      }),
    ],
  }),
});
`;

const unknown = process.platform === "linux" ? false : "only Linux tells what a process holds";

t.test("memory of a large request goes back once nothing runs", { skip: unknown }, async (t) => {
  const folder = t.testdir({ keeper: pluginFiles("keeper", "1.0.0", source) });
  const host = await startHost({ plugins: [folder] });
  t.teardown(() => host.stop());
  const response = await fetch(`${host.url}/EAIWS/plugins/keeper/keep`);
  t.match(await response.json(), { kept: 1_000_000 });
  const [{ processId = 0 } = {}] = await pluginStates(host.url);
  const taken = await residentBytes(processId);
  if (taken === undefined) throw new Error("the process is gone");
  t.ok(taken > 120 * mebibyte, `${Math.round(taken / mebibyte)} MiB`);
  const end = Date.now() + 120_000;
  let left = taken;
  while (left > taken - 60 * mebibyte && Date.now() < end) {
    await pause(500);
    left = (await residentBytes(processId)) ?? Number.NaN;
  }
  t.ok(
    left <= taken - 60 * mebibyte,
    `${Math.round(left / mebibyte)} of ${Math.round(taken / mebibyte)} MiB`,
  );
});

t.test(
  "a host that unpacked its browser holds no more than one that found it unpacked",
  { skip: unknown },
  async (t) => {
    const folder = t.testdir({ plugins: {} });
    const browserCache = join(folder, "browsers");
    const environment = { PATH: "", PUPPETEER_EXECUTABLE_PATH: "", PUPPETEER_CACHE_DIR: browserCache };
    const startMemory = async (): Promise<number> => {
      const host = await startHost({
        plugins: [join(folder, "plugins")],
        configuration: { pdf: { browserCache } },
        environment,
      });
      const held = (await residentBytes(host.process.pid ?? 0)) ?? Number.NaN;
      await host.stop();
      return held;
    };
    const unpacking = await startMemory();
    if (!existsSync(browserCache)) {
      t.comment("not shown here: a browser is installed in one of the usual folders");
      return;
    }
    const restarted = await startMemory();
    t.ok(
      unpacking < restarted + 100 * mebibyte,
      `${Math.round(unpacking / mebibyte)} and ${Math.round(restarted / mebibyte)} MiB`,
    );
  },
);
