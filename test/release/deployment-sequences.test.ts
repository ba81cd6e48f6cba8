/** Random sequences of what admins and faults do to a plugin of a real host, over HTTP and the command line. */
import fc from "fast-check";
import t from "tap";
import { plugin } from "../host/administration-support.js";
import { type DeploymentHost, startDeployment } from "../host/deployment-host.js";

const sequences = 5;
const steps = 8;
const seed = Number(process.env["DEPLOYMENT_SEED"] ?? 1);

const actions = [
  "drop",
  "drop",
  "drop what does not start",
  "crash",
  "fail at requests",
  "roll back",
  "disable",
  "enable",
  "enable the version",
  "restart",
] as const;

type Check = (holds: boolean, message: string) => void;

/** What was done, and what has to be so since. */
class Sequence {
  private next = 0;
  private readonly quarantined = new Set<string>();
  private readonly left = new Set<string>();

  constructor(
    private readonly host: DeploymentHost,
    private readonly check: Check,
  ) {}

  async take(action: (typeof actions)[number]): Promise<void> {
    const { host, check } = this;
    const { releases, quarantined, disabled } = await host.overview();
    const before = releases["1.0"];
    const bad = quarantined.map(({ version }) => version);
    this.next += 1;
    const version = `1.${this.next}.0`;
    if (action === "drop") await host.drop(`p${this.next}`, { version });
    else if (action === "drop what does not start") {
      await host.drop(`p${this.next}`, { version, broken: "throws-in-setup" });
      check((await this.serving()) === before, "a version that does not start changes nothing");
    } else if (action === "crash" || action === "fail at requests") await this.fault(action, before);
    else if (action === "roll back") {
      const { code } = await plugin("rollback", "Sample", "--url", host.url);
      const now = await this.serving();
      check(code === 0 || now === before, "what is refused changes nothing");
      if (code === 0 && now !== undefined) {
        check(!this.left.has(now), `${now} was left before`);
        if (before !== undefined) this.left.add(before);
      }
    } else if (action === "disable") {
      await host.post("Sample/disable");
      check((await this.serving()) === undefined, "disabling wins over everything");
    } else if (action === "enable") await host.post("Sample/enable");
    else if (action === "enable the version") {
      const [worst] = bad;
      await host.post("Sample/enable", worst === undefined ? {} : { version: worst });
      if (worst !== undefined) this.quarantined.delete(worst);
    } else {
      await host.restart();
      check((await this.serving()) === before, "a restart chooses the same");
      check((await host.overview()).disabled === disabled, "and what is disabled stays so");
    }
    await this.invariants();
  }

  private async fault(action: "crash" | "fail at requests", before: string | undefined): Promise<void> {
    if (before === undefined) return;
    const known = (await this.host.events("rollback")).length;
    const isOnTrial = (await this.host.overview()).versions.some(
      ({ version, probationUntil }) => version === before && probationUntil !== undefined,
    );
    if (action === "crash") await this.host.crash();
    else for (let count = 0; count < 5; count += 1) await this.host.fault("throw");
    if (!isOnTrial) return;
    const events = (await this.host.events("rollback")).slice(known);
    for (const { from, to = "" } of events) {
      this.check(from === before, `${from} did not answer`);
      this.check(!this.quarantined.has(to), `fell back to ${to}, which is in quarantine`);
      this.check(!this.left.has(to), `fell back to ${to}, which was left`);
      this.check((await this.serving()) === to, `fell back to ${to}, and stays there`);
      this.quarantined.add(before);
    }
  }

  private async invariants(): Promise<void> {
    const { quarantined } = await this.host.overview();
    const bad = new Set(quarantined.map(({ version }) => version));
    for (const version of this.quarantined) this.check(bad.has(version), `${version} stays in quarantine`);
    const serving = await this.serving();
    this.check(serving === undefined || !bad.has(serving), "what is in quarantine does not answer");
    const answer = await this.host.answering();
    this.check(answer === (serving ?? 404), `${serving} answers, and not ${answer}`);
  }

  private async serving(): Promise<string | undefined> {
    return (await this.host.overview()).releases["1.0"];
  }
}

t.test("random sequences on a real host", async (t) => {
  t.comment(`seed ${seed}: ${sequences} sequences of ${steps} steps`);
  const arbitrary = fc.array(fc.constantFrom(...actions), { minLength: steps, maxLength: steps });
  for (const [index, sequence] of fc.sample(arbitrary, { seed, numRuns: sequences }).entries()) {
    await t.test(`${index + 1}: ${sequence.join(", ")}`, async (t) => {
      const host = await startDeployment(t, { probation: 600_000 });
      await host.drop("p0", { version: "1.0.0" });
      const run = new Sequence(host, (holds, message) => void t.ok(holds, message));
      for (const action of sequence) await run.take(action);
    });
  }
});
