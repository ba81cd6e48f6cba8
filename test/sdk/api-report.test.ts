/** What plugins and their tests can import is what was reviewed, and says what it is. */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import t from "tap";
import { repository } from "../start-host.js";
import { apiReports } from "./api-report.js";

const reports = await apiReports();

t.test("the committed reports are those of the code", async (t) => {
  for (const { file, text } of reports) {
    const committed = await readFile(file, "utf8").catch(() => "");
    t.equal(
      committed,
      text,
      `${relative(repository, file)}: run "npm run api", and commit what it changes when it is meant`,
    );
  }
});

t.test("everything exported has a comment, and what signatures name is exported", (t) => {
  for (const { file, text, findings } of reports) {
    t.match(text, /^export /m, "there are exports");
    t.strictSame(findings, [], `${relative(repository, file)}: run "npm run api", which lists them too`);
  }
  t.end();
});
