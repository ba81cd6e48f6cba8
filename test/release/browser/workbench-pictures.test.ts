/** A picture looks the same, the right way up, in the workbench, whatever kind of file it was. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { launchBrowser } from "../../bench/pdf/browser-contenders.js";
import { says } from "../../browser/admin-support.js";
import { chooseFile, openWorkbench } from "../../browser/workbench-support.js";
import { projectOf, sameAsSamples } from "../../pictures/picture-project.js";
import { samples } from "../../pictures/quadrants.js";
import { startHost } from "../../start-host.js";

t.test("pictures of all kinds in the list of articles", async (t) => {
  const all = await samples();
  const host = await startHost();
  t.teardown(() => host.stop());
  const folder = t.testdir({ browser: {} });
  const file = join(folder, "pictures.json");
  await writeFile(file, JSON.stringify(projectOf(all)));
  const browser = await launchBrowser(join(folder, "browser"));
  t.teardown(() => browser.close());
  const { page, complaints } = await openWorkbench(browser, host.url);
  // The list draws only the lines that are in sight.
  await page.setViewport({ width: 1280, height: 8000 });
  await chooseFile(page, file);
  const { length } = Object.keys(all);
  // The list is drawn again when the prices have come.
  await says(page, /Total/, ".sums");
  await page.waitForFunction(
    (count) => {
      const shown = [...document.querySelectorAll<HTMLImageElement>(".line-list .picture img")];
      return (
        shown.length === count && shown.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
      );
    },
    { timeout: 60_000 },
    length,
  );
  const places = await page.$$eval(".line-list .picture img", (shown) =>
    shown.map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
  const screenshots: Uint8Array[] = [];
  for (const clip of places) screenshots.push(await page.screenshot({ clip }));
  await sameAsSamples(t, all, screenshots);
  t.strictSame(complaints, []);
});
