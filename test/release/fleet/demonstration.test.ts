/** `npm run fleet`, to its end: a host is killed in the middle of a job, and nothing is lost. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { findPrograms } from "../../postgresql-server.js";
import { repository } from "../../start-host.js";

const run = promisify(execFile);
const skip = (await findPrograms()) === undefined && "there are no programs of PostgreSQL here";

t.test("the fleet of the page", { skip }, async (t) => {
  const program = join(repository, "test", "fleet", "fleet.ts");
  const { stdout } = await run(process.execPath, ["--import", "tsx", program, "--end"], { cwd: repository });
  for (const number of [1, 2, 3]) t.match(stdout, new RegExp(`^Host ${number}: http://`, "m"));
  t.match(stdout, /^Each host made a report of one session; 9 downloads/m);
  t.match(stdout, /^Job \S+: http:\S+ worked for it and was killed\.$/m);
  t.match(stdout, /^It is done after attempt [23]\.$/m);
  t.match(stdout, /^Nothing was lost: 8 downloads from the hosts that are left\.$/m);
});
