/** Plugins that do what they must not do, while they and others are being asked. */
import { untilPlace, untilState } from "./host-api.js";
import { type HotHost, startHotHost } from "./hot-host.js";
import { type Answer, Load } from "./load.js";
import { exportDefaults, sampleVersion, templates } from "./load-requests.js";
import { dropByRename, remove } from "./plugin-dropping.js";
import { firstPartyPlugin, type StartFault, samplePlugin } from "./plugin-maker.js";
import type { FaultName } from "./sample/faults.js";

/** Whether an instance that did it is replaced. */
const replaces: Record<FaultName, boolean> = {
  throw: false,
  exit: true,
  heap: true,
  "uncaught-error": true,
  "unhandled-rejection": true,
  "endless-loop": true,
  "endless-promise": true,
  flood: false,
  "wrong-answer": false,
};

export interface FaultResult {
  fault: FaultName | StartFault;
  /** What clients of other plugins, and of another version of this one, got. */
  others: Answer[];
  /** What clients of the faulty version got. */
  hit: Answer[];
  /** From the fault to the first good answer of the plugin after it, by another instance where it is replaced; of a bad version until it is given up. Milliseconds. */
  recovery: number;
  /** The longest time without a good answer of the plugin, in milliseconds. */
  silence: number;
}

export interface BadVersionResult extends FaultResult {
  /** What the host says of it. */
  reason: string;
}

const hitRelease = "1.0";
const otherRelease = "1.1";
/** Its request. */
const hit = sampleVersion(hitRelease, { clients: 0, pause: 0 }).name;

/** A host under load with the sample under two releases, of which one gets the faults, and both first-party plugins. */
export class FaultDrill {
  /** The last number of a version. */
  private versions = 0;
  /** The last one that was fit to serve, and where it lies. */
  private fit = "Sample@1.0.0";
  private fitPlace: string;
  private hasCrashed = false;

  private constructor(
    readonly host: HotHost,
    private readonly load: Load,
  ) {
    this.fitPlace = this.place();
  }

  /** `clients` ask for each of the four. */
  static async start(clients: number): Promise<FaultDrill> {
    const first = { Reporter: "*", oex: "*" };
    const host = await startHotHost({
      plugins: {
        reporter: await firstPartyPlugin("reporter", "1.0.0"),
        oex: await firstPartyPlugin("oex", "1.0.0"),
        other: await samplePlugin({ version: "1.1.0" }),
        "sample-0": await samplePlugin({ version: "1.0.0" }),
      },
      configuration: {
        releases: {
          [hitRelease]: { ...first, Sample: "~1.0.0" },
          [otherRelease]: { ...first, Sample: "~1.1.0" },
        },
        plugins: { probation: 700, limits: { Sample: { heap: 64 } } },
      },
    });
    const rate = { clients, pause: 50 };
    const load = new Load(host.url, [
      templates(rate),
      exportDefaults(rate),
      sampleVersion(hitRelease, rate),
      sampleVersion(otherRelease, rate),
    ]);
    await load.nextFrom("Sample@1.0.0", hit);
    return new FaultDrill(host, load);
  }

  /** The version is over its probation, and none has to answer for the crash of another fault. */
  async commit(fault: FaultName): Promise<FaultResult> {
    if (this.hasCrashed) {
      const version = await this.dropNext();
      await untilState(
        this.host.url,
        "Sample",
        version,
        ({ stage, probationUntil }) => stage === "live" && probationUntil === undefined,
      );
    }
    this.hasCrashed = replaces[fault];
    const before = await this.load.nextFrom(this.fit, hit);
    const first = this.load.answers.length;
    const begun = performance.now();
    const committed = this.request(fault);
    const recovered = await this.firstGood(replaces[fault] ? before.instance : undefined, committed);
    return this.result(fault, first, recovered.ended - begun);
  }

  /** A version that commits the fault with every request. Ends when the version before answers again and the folder is gone. */
  async dropWrongdoer(fault: FaultName): Promise<BadVersionResult> {
    const first = this.load.answers.length;
    const begun = performance.now();
    const version = await this.dropNext(fault);
    const state = await untilState(this.host.url, "Sample", version, ({ stage }) => stage === "quarantined");
    const recovered = await this.load.nextFrom(this.fit, hit);
    await remove(this.place());
    const result = await this.result(fault, first, recovered.ended - begun);
    return { ...result, reason: state.reason ?? "" };
  }

  /** A version that cannot serve is dropped in. Ends when the host says why not. */
  async dropBroken(broken: StartFault): Promise<BadVersionResult> {
    const first = this.load.answers.length;
    const begun = performance.now();
    const name = `broken-${broken}`;
    await dropByRename(await samplePlugin({ version: "1.0.999", broken }), this.host.place(name));
    const state = await untilPlace(this.host.url, name, ({ stage }) =>
      ["rejected", "failed"].includes(stage),
    );
    const told = performance.now();
    await remove(this.host.place(name));
    return { ...(await this.result(broken, first, told - begun)), reason: state.reason ?? "" };
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.host.stop();
  }

  /** The next version takes over from the one before, whose folder goes. */
  private async dropNext(answers?: FaultName): Promise<string> {
    const before = this.fitPlace;
    this.versions += 1;
    const version = `1.0.${this.versions}`;
    const files = await samplePlugin({ version, ...(answers === undefined ? {} : { answers }) });
    await dropByRename(files, this.place());
    if (answers !== undefined) return version;
    this.fit = `Sample@${version}`;
    this.fitPlace = this.place();
    await this.load.nextFrom(this.fit, hit);
    await remove(before);
    return version;
  }

  private place(): string {
    return this.host.place(`sample-${this.versions}`);
  }

  private async request(fault: FaultName): Promise<void> {
    const url = `${this.host.url}/${hitRelease}/EAIWS/plugins/Sample/fault/${fault}`;
    const response = await fetch(url, { method: "POST" });
    await response.arrayBuffer();
  }

  /** Without a process, the first one after the fault was answered; else the first one of another process. */
  private async firstGood(faulty: string | undefined, committed: Promise<void>): Promise<Answer> {
    if (faulty === undefined) await committed;
    const answer = await this.load.next(
      "a good answer after the fault",
      (each) => isHit(each) && isGood(each) && (faulty === undefined || each.instance !== faulty),
    );
    await committed;
    return answer;
  }

  /** Waits for one more answer of each, so that what the fault held up is in. */
  private async result(fault: FaultResult["fault"], first: number, recovery: number): Promise<FaultResult> {
    const requests = new Set(this.load.answers.map(({ request }) => request));
    await Promise.all(
      [...requests].map((name) => this.load.next(`an answer to ${name}`, ({ request }) => request === name)),
    );
    const answers = this.load.answers.slice(first);
    const own = answers.filter(isHit);
    const others = answers.filter((answer) => !isHit(answer));
    return { fault, others, hit: own, recovery, silence: longestSilence(own) };
  }
}

function isHit({ request }: Answer): boolean {
  return request === hit;
}

function isGood({ failure, label }: Answer): boolean {
  return failure === undefined && label !== undefined;
}

function longestSilence(answers: readonly Answer[]): number {
  const moments = answers.filter(isGood).map(({ ended }) => ended);
  return Math.max(0, ...moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment)));
}
