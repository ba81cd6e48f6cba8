/** Clients that use sessions, files and reports, and write down what is acknowledged. What has a key is sent until it is answered. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { checked, Type, Validator } from "@slipway/sdk";
import { Client, type FleetRequest, isGood, permittedFailure, type Reply, shown } from "./client.js";
import { type KnownSession, Ledger, projectName, replacementIn, sha256 } from "./ledger.js";
import { type Projects, shapeNames } from "./projects.js";
import type { Random } from "./random.js";
import { reportPath } from "./running-fleet.js";

const validator = new Validator();
const checkSession = validator.compile(
  Type.Object({
    sessionId: Type.String(),
    revision: Type.Integer(),
    project: Type.Object({ name: Type.String() }),
  }),
  "answer",
);
const checkReport = validator.compile(Type.Object({ url: Type.String(), project: Type.String() }), "answer");

const parsed = (reply: Reply): unknown => JSON.parse(reply.body.toString("utf8"));
const sessionOf = (reply: Reply) => checked(checkSession(parsed(reply)), shown(reply));
const reportOf = (reply: Reply) => checked(checkReport(parsed(reply)), shown(reply));

/** Milliseconds between two tries of a request with a key, and for which they go on. */
const retryPause = 250;
const retryPatience = 180_000;
/** Of the answered requests with a key, one in so many is sent again: its answer must come again. */
const repeatedOneIn = 50;

export interface MixedLoadOptions {
  /** Of the balancer. */
  url: string;
  projects: Projects;
  requests: number;
  clients: number;
  random: Random;
  progress(text: string): void;
}

export class MixedLoad {
  readonly ledger = new Ledger();
  /** How many requests ended how. */
  readonly outcomes = new Map<string, number>();
  /** Of good answers, milliseconds. */
  readonly times: number[] = [];
  /** Milliseconds, the longest time without any good answer. */
  longestGap = 0;
  /** Milliseconds that all of it took. */
  duration = 0;
  private lastGood = performance.now();
  private sent = 0;
  private isStopped = false;
  private keys = 0;
  /** So that keys and names are those of this run alone. */
  private readonly mark = randomBytes(3).toString("hex");
  private readonly client: Client;
  private readonly replaced = new Set<KnownSession>();
  private readonly waiting: { from: number; resolve: () => void }[] = [];

  constructor(private readonly options: MixedLoadOptions) {
    this.client = new Client(options.url, options.clients);
  }

  /** Resolves when so many requests were sent. */
  async run(): Promise<void> {
    const began = performance.now();
    const { clients, random } = this.options;
    await Promise.all(Array.from({ length: clients }, () => this.work(random.branch())));
    this.duration = performance.now() - began;
    await this.client.stop();
    for (const { resolve } of this.waiting) resolve();
  }

  get isOver(): boolean {
    return this.isStopped || this.sent >= this.options.requests;
  }

  /** Ends it early; what has no answer is not sent again. */
  stop(): void {
    this.isStopped = true;
  }

  /** Resolves when this part of all requests was sent. */
  reached(part: number): Promise<void> {
    const from = part * this.options.requests;
    return new Promise((resolve) => this.waiting.push({ from, resolve }));
  }

  private async work(random: Random): Promise<void> {
    while (!this.isOver) await this.step(random);
  }

  private async step(random: Random): Promise<void> {
    const { sessions, files } = this.ledger;
    const drawn = random.next();
    const session = random.of(sessions);
    const file = random.of(files);
    if (session === undefined || drawn >= 0.96) {
      if (session !== undefined && drawn >= 0.99) await this.replace(session);
      else await this.open(random);
    } else if (drawn < 0.7) await this.use(session, random.next() < 0.5);
    else if (drawn < 0.85 && file !== undefined) await this.read(file);
    else await this.report(session, random);
  }

  private async use(session: KnownSession, isRenewed: boolean): Promise<void> {
    const { replacement, revision } = session;
    const path = `/api/sessions/${session.id}`;
    const reply = await this.send(isRenewed ? { method: "POST", path: `${path}/keepalive` } : { path });
    if (reply.status === 404) return this.ledger.note("lost", `session ${session.id}: ${shown(reply)}`);
    if (!this.isAnswer(reply, "session")) return;
    const found = sessionOf(reply);
    const number = replacementIn(found.project.name, session.opening) ?? Number.NaN;
    const isThatOne = found.revision === revision && number === replacement;
    if (isThatOne || (found.revision > revision && number > replacement)) return;
    this.ledger.note(
      "wrong answer",
      `session ${session.id} was acknowledged with revision ${revision}, replacement ${replacement}: ${shown(reply)}`,
    );
  }

  private async read({ path, sha256: expected }: { path: string; sha256: string }): Promise<void> {
    const reply = await this.send({ path });
    if (reply.status === 404 || reply.status === 410)
      return this.ledger.note("lost", `${path}: ${shown(reply)}`);
    if (this.isAnswer(reply, "file") && sha256(reply.body) !== expected)
      this.ledger.note("torn", `${path} has ${reply.body.length} bytes of other content`);
  }

  private async report(session: KnownSession, random: Random): Promise<void> {
    const key = this.newKey("report");
    const { replacement, opening } = session;
    const bytes = random.next() < 0.02 ? random.integer(200_000, 1_500_000) : random.integer(200, 12_000);
    const reply = await this.sendWithKey(key, random, {
      path: reportPath,
      body: { sessionId: session.id, text: key, bytes, wait: random.integer(2, 40) },
    });
    if (reply === undefined) return;
    const { url, project } = reportOf(reply);
    this.ledger.file({ path: new URL(url).pathname, sha256: sha256(Buffer.alloc(bytes, key)) });
    const number = replacementIn(project, opening) ?? Number.NaN;
    if (!(number >= replacement))
      this.ledger.note(
        "wrong answer",
        `a report of ${project}, after replacement ${replacement} of ${opening}`,
      );
  }

  private async open(random: Random): Promise<void> {
    const opening = this.newKey("opening");
    const shape = (random.next() < 0.9 ? shapeNames[0] : random.of(shapeNames)) ?? "";
    const reply = await this.sendWithKey(opening, random, {
      path: "/api/sessions",
      body: this.options.projects.body(shape, projectName(opening, 0)),
    });
    if (reply === undefined) return;
    this.ledger.session({ id: sessionOf(reply).sessionId, opening, shape });
  }

  private async replace(session: KnownSession): Promise<void> {
    // One after the other: what an answer has to be is known only then.
    if (this.replaced.has(session)) return;
    this.replaced.add(session);
    const { opening, shape } = session;
    session.sent += 1;
    const number = session.sent;
    const reply = await this.send({
      method: "PUT",
      path: `/api/sessions/${session.id}`,
      body: this.options.projects.body(shape, projectName(opening, number)),
    });
    this.replaced.delete(session);
    const unanswered = number - 1 - session.replacement;
    if (reply.status === 409 && unanswered > 0) return this.count("409 beside an unanswered replacement");
    if (!this.isAnswer(reply, "replacement")) return;
    const { revision } = sessionOf(reply);
    const least = session.revision + 1;
    if (revision < least || revision > least + unanswered)
      this.ledger.note(
        "wrong answer",
        `${unanswered} unanswered after revision ${session.revision}: ${shown(reply)}`,
      );
    session.replacement = number;
    session.revision = revision;
    this.ledger.acknowledged += 1;
  }

  /** A POST request, until it has an answer; undefined where that is not a good one, which is noted. */
  private async sendWithKey(
    key: string,
    random: Random,
    request: { path: string; body: unknown },
  ): Promise<Reply | undefined> {
    const keyed: FleetRequest = { ...request, method: "POST", headers: { "Idempotency-Key": key } };
    const deadline = performance.now() + retryPatience;
    for (let tries = 1; performance.now() < deadline && !this.isStopped; tries++) {
      const reply = await this.send(keyed);
      if (reply.status === 409 && tries > 1) this.count("409 of a repetition: the first still runs");
      else if (this.isAnswer(reply, request.path)) {
        if (random.integer(0, repeatedOneIn) === 0) await this.repeat(keyed, reply);
        return reply;
      } else if (permittedFailure(reply) === undefined) return undefined;
      await pause(retryPause);
    }
    this.ledger.note("wrong answer", `${key} had none within ${retryPatience / 1000} s`);
    return undefined;
  }

  /** The same request once more has the same answer. */
  private async repeat(request: FleetRequest, first: Reply): Promise<void> {
    const reply = await this.send(request);
    if (!this.isAnswer(reply, "repetition")) return;
    const fact = (one: Reply): string =>
      request.path === reportPath ? reportOf(one).url : sessionOf(one).sessionId;
    if (fact(reply) !== fact(first))
      this.ledger.note("doubled", `${request.path}: ${fact(first)}, and again ${fact(reply)}`);
  }

  private async send(request: FleetRequest): Promise<Reply> {
    this.sent += 1;
    if (this.sent % 10_000 === 0) this.options.progress(`${this.sent} requests`);
    for (const waiting of this.waiting) if (this.sent >= waiting.from) waiting.resolve();
    return await this.client.send(request);
  }

  /** Whether it is a good answer; one that must not be is noted. */
  private isAnswer(reply: Reply, what: string): boolean {
    if (isGood(reply)) {
      const now = performance.now();
      this.longestGap = Math.max(this.longestGap, now - this.lastGood);
      this.lastGood = now;
      this.times.push(reply.milliseconds);
      this.count("good");
      return true;
    }
    const failure = permittedFailure(reply);
    if (failure !== undefined) this.count(failure);
    else {
      this.count(`another ${reply.status}`);
      this.ledger.note("wrong answer", `${what}: ${shown(reply)}`);
    }
    return false;
  }

  private count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  private newKey(kind: string): string {
    this.keys += 1;
    return `${kind}-${this.mark}-${String(this.keys).padStart(7, "0")}`;
  }
}
