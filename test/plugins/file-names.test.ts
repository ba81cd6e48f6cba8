/** Names of generated files tell the time in the zone that the plugin's setting names, in all three plugins alike. */
import { projectOf } from "@slipway/sdk/testing";
import t from "tap";
import { pluginInMemory } from "./plugins-in-memory.js";
import { readBook } from "./spreadsheet-book.js";

const project = projectOf({ header: { name: "Office", number: "Q-1" }, items: [{ article: "A" }] });

/** A moment, a zone, and the day (yyyymmdd) and time that clocks show there. */
const moments = [
  ["2026-05-11T23:30:15Z", "Europe/Berlin", "20260512", "013015"],
  ["2026-12-31T23:30:15Z", "Europe/Berlin", "20270101", "003015"],
  ["2026-01-01T03:00:00Z", "America/St_Johns", "20251231", "233000"],
  ["2026-05-11T18:45:00Z", "Asia/Kathmandu", "20260512", "003000"],
  // Clocks go forward from 2:00 to 3:00, and back from 3:00 to 2:00.
  ["2026-03-29T00:59:59Z", "Europe/Berlin", "20260329", "015959"],
  ["2026-03-29T01:00:00Z", "Europe/Berlin", "20260329", "030000"],
  ["2026-10-25T00:30:00Z", "Europe/Berlin", "20261025", "023000"],
  ["2026-10-25T01:30:00Z", "Europe/Berlin", "20261025", "023000"],
  ["2026-10-25T02:00:00Z", "Europe/Berlin", "20261025", "030000"],
  ["2026-05-11T23:30:15Z", undefined, "20260511", "233015"],
] as const;

t.test(
  "the time of file names is that of the setting's zone, also across midnight and changes of clocks",
  async (t) => {
    for (const [now, timeZone, day, time] of moments) {
      const config = timeZone === undefined ? {} : { timeZone };
      const short = `${day.slice(6)}${day.slice(4, 6)}${day.slice(2, 4)}-${time}`;
      const place = `${now} ${timeZone ?? "without a setting"}`;

      const reporter = await pluginInMemory("reporter", { config, now });
      const printing = await reporter.openSession(project);
      const report = await reporter.post("template/quote/v1/generate", { sessionId: printing.id });
      t.equal(report.json["name"], `Office_Q-1_${short}.pdf`, place);
      await reporter.stop();

      const excel = await pluginInMemory("excel", { config, now });
      const listing = await excel.openSession(project);
      const body = { sessionId: listing.id };
      const workbook = await excel.post("v1/export", body);
      t.equal(workbook.json["name"], `Office_Q-1_${short}.xlsx`, place);
      const book = await readBook(excel.file(workbook.json["url"]).bytes);
      const dates = book
        .flatMap((sheet) => sheet.values())
        .flatMap((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : []));
      const isoDay = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
      t.ok(dates.includes(isoDay), `${place}: the day of the export`);
      const csv = await excel.post("v1/exportCSV/header/data", body);
      t.equal(csv.json["name"], `Office_Q-1_${short}_Header_Data.csv`, place);
      t.equal((await excel.post("v1/exportCSV", body)).json["name"], `Office_Q-1_${short}.zip`, place);
      await excel.stop();

      const oex = await pluginInMemory("oex", { config, now });
      const ordering = await oex.openSession(project);
      const order = await oex.post("export", { sessionId: ordering.id, config: { attachPDF: false } });
      t.equal(order.json["name"], `oex-orders_Q-1_${day}-${time}`, place);
      await oex.stop();
    }
  },
);

t.test("a zone that does not exist keeps each plugin from starting, and is named", async (t) => {
  for (const name of ["reporter", "excel", "oex"] as const) {
    for (const timeZone of ["Europe/Nowhere", "+01:00"]) {
      await t.rejects(pluginInMemory(name, { config: { timeZone } }), {
        id: "plugin-error",
        message: new RegExp(`time zone such as "Europe/Berlin", but is "${timeZone.replace("+", "\\+")}"`),
      });
    }
    await t.rejects(pluginInMemory(name, { config: { timeZone: 1 } }), { message: /timeZone/ });
  }
});
