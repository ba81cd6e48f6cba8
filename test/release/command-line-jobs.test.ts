/** `slipway job`, as admins and their scripts use it. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { askLater, getJob, inState, startWorkshop, workshop } from "../host/jobs-support.js";
import { until } from "../host/plugins-support.js";
import { type EndedCommand, runCommand } from "../run-command.js";
import type { StartedHost } from "../start-host.js";

let folder: string;
let host: StartedHost;
t.before(async () => {
  folder = await workshop(t);
  host = await startWorkshop(folder);
});
t.teardown(() => host?.stop());

/** A command about the jobs of the host, until it ends; ids may begin with a hyphen. */
const job = (words: string[], id?: string): Promise<EndedCommand> =>
  runCommand(["job", ...words, "--url", host.url, ...(id === undefined ? [] : ["--", id])], { folder });

t.test("jobs are listed, shown, waited for and cancelled", async (t) => {
  t.match(await job(["list"]), { code: 0, output: "There are no jobs.\n" });
  const [gate, notes] = [join(folder, "gate"), join(folder, "notes")];
  const running = await askLater(host.url, "make", { gate, notes });
  await until(async () => (await getJob(host.url, running.id)).progress !== undefined);
  const failed = await askLater(host.url, "refuse", {});
  await inState(host.url, failed.id, "failed");
  const list = await job(["list"]);
  t.match(list, { code: 0, errors: "" });
  t.match(list.output, /^JOB +STATE +CREATED +ATTEMPT +PLUGIN +OPERATION +HOST$/m);
  t.match(
    list.output,
    new RegExp(`^${running.id} +running .* Workshop@1.0.0 +POST make .* 40 %, page 40 of 100$`, "m"),
  );
  t.match(list.output, new RegExp(`^${failed.id} +failed .* workshop-empty: Nothing.$`, "m"));
  const some = await job(["list", "--state", "failed", "--limit", "1", "--json"]);
  t.match(JSON.parse(some.output), { jobs: [{ id: failed.id, state: "failed" }] });

  const shown = await job(["show"], failed.id.slice(0, 8));
  t.match(shown, { code: 0, output: /^State +failed$[\s\S]*^Error +workshop-empty: Nothing\.$/m });
  t.match(JSON.parse((await job(["show", "--json"], failed.id)).output), { id: failed.id });
  t.match(await job(["show"], failed.id.slice(0, 7)), { code: 2, errors: /too short/ });
  t.match(await job(["show"], "00000000"), { code: 1, errors: /No job begins with/ });
  t.match(await job(["show"], "0".repeat(24)), { code: 1, output: "" });

  t.match(await job(["wait"], failed.id), { code: 1, output: /^State +failed$/m });
  t.match(await job(["result"], running.id), {
    code: 1,
    errors: /The job is running and has no result yet\./,
  });
  const cancelled = await askLater(host.url, "make", { gate, notes: `${notes}-2` });
  t.match(await job(["cancel"], cancelled.id), { code: 0, output: `Job ${cancelled.id} is cancelled.\n` });
  t.match(await job(["cancel"], failed.id), { code: 0, output: /had ended before: it is failed\.$/m });
  const waiting = job(["wait", "--json"], running.id);
  await writeFile(gate, "");
  const ended = await waiting;
  t.match(
    [ended.code, JSON.parse(ended.output)],
    [0, { id: running.id, state: "done", result: { code: 200 } }],
  );
  t.match(await job(["list", "--limit", "0"]), { code: 2, errors: /1 to 1000/ });
});

t.test("the result is printed, or its files are written", async (t) => {
  const made = await askLater(host.url, "make", { text: "ä" });
  await inState(host.url, made.id, "done");
  const result = await job(["result"], made.id);
  t.match([result.code, JSON.parse(result.output)], [0, { text: "ä" }]);
  t.match(await job(["result", "--out", "nowhere"], made.id), { code: 1, errors: /names no files/ });
  const refused = await askLater(host.url, "refuse", {});
  await inState(host.url, refused.id, "failed");
  t.match(await job(["result"], refused.id), { code: 1, output: "", errors: "Nothing.\n" });

  const file = await askLater(host.url, "file");
  await inState(host.url, file.id, "done");
  t.match(await job(["result"], file.id), { code: 0, output: "content" });
  const named = await job(["result", "--out", "b.txt"], file.id);
  t.match(named, { code: 0, output: `${join(folder, "b.txt")}\n` });
  await mkdir(join(folder, "out"));
  const inFolder = await job(["result", "--out", "out"], file.id);
  t.match(inFolder, { code: 0, output: `${join(folder, "out", "a.txt")}\n` });
  t.equal(await readFile(join(folder, "out", "a.txt"), "utf8"), "content");
  const linked = await askLater(host.url, "linked", {});
  await inState(host.url, linked.id, "done");
  const one = await job(["result", "--out", "c.txt"], linked.id);
  t.match(one, { code: 0, output: `${join(folder, "c.txt")}\n` });
  const several = await job(["result", "--out", "many/"], linked.id);
  t.match(several, { code: 0, output: `${join(folder, "many", "a.txt")}\n` });
  t.equal(await readFile(join(folder, "many", "a.txt"), "utf8"), "content");
});

t.test("the secret of webhooks is printed and replaced", async (t) => {
  const before = await job(["secret"]);
  t.match(before, { code: 0, output: /^whsec_[A-Za-z0-9+/]{43}=\n$/ });
  const rotated = await job(["secret", "--rotate", "--json"]);
  const answer = JSON.parse(rotated.output);
  t.match(answer, { signer: "host", previous: before.output.trim() });
  t.equal((await job(["secret", "--of-host"])).output.trim(), answer.secret);
});
