import { type Log, RequestError } from "@slipway/sdk";
import type { WebhooksConfiguration } from "../configuration/webhooks-configuration.js";
import type { OutgoingFetch } from "../fetch/fetch.js";
import { shownId } from "../observability/requests/request-names.js";
import { isEngineUnavailable, logUnlessOutage } from "../system/request-errors.js";
import { deadlineSignal, monotonicTime, settlesWithin, wait } from "../system/time.js";
import { type Job, type Webhook, webhookServer } from "./job.js";
import { jobResource } from "./job-resource.js";
import type { JobStore, WebhookClaim, WebhookOutcome } from "./job-store.js";
import { Poller } from "./poller.js";
import type { WebhookSecrets } from "./webhook-secrets.js";
import { webhookHeaders } from "./webhook-signature.js";

export interface WebhookDeliveriesOptions {
  store: Pick<JobStore, "claimWebhook" | "settleWebhook" | "follow">;
  /** Read at each use, because it may change. */
  configuration: WebhooksConfiguration;
  secrets: Pick<WebhookSecrets, "inForce">;
  /** Sends to servers that the configuration allows. */
  fetch: OutgoingFetch;
  log: Log;
  /** An attempt has ended; must not throw. */
  attempted(id: string, outcome: WebhookOutcome["state"]): void;
}

/** Milliseconds between polls for webhooks that are due. */
const pollInterval = 5000;
/** Milliseconds for storing an outcome; a sender counts as lost after twice the time-out and this time. */
const slack = 2000;
/** Milliseconds until the next attempt after a failure of this host itself. */
const ownPause = 2000;
/** Milliseconds between attempts to store an outcome. */
const settlePause = 500;
/** Factor between a pause and the next one; 8 attempts end within 24 hours. */
const growth = 4.8;
/** Random share by which a pause is longer or shorter, so that a receiver does not get all retries at once. */
const jitter = 0.1;
const longestPause = 86_400_000;
const stopped = "The host stopped before the receiver answered.";

/** Delivers the ends of jobs to their webhooks: at least once, or until the attempts are used up. */
export class WebhookDeliveries {
  /** Running deliveries with their servers. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private unfollow: () => void = () => undefined;
  private readonly poller = new Poller(() => this.sendAll());
  private isOpen = false;

  constructor(private readonly options: WebhookDeliveriesOptions) {}

  start(): void {
    this.isOpen = true;
    this.timer = setInterval(() => this.poll(), pollInterval).unref();
    this.unfollow = this.options.store.follow("webhook", () => this.poll());
    this.poll();
  }

  /** Sends due webhooks, as far as this host has capacity. */
  poll(): void {
    this.poller.poll();
  }

  /** Sends no more webhooks, and ends running deliveries after some milliseconds. Resolves when none runs. */
  async drain(milliseconds: number): Promise<void> {
    this.isOpen = false;
    clearInterval(this.timer);
    this.unfollow();
    await this.poller.settled();
    await settlesWithin(Promise.all(this.running.keys()), milliseconds);
    this.ending.abort(new Error(stopped));
    await Promise.all(this.running.keys());
  }

  private async sendAll(): Promise<void> {
    const { store, configuration } = this.options;
    while (this.isOpen && this.running.size < configuration.concurrency) {
      const job = await store
        .claimWebhook(this.lease, this.busyServers())
        .catch((error: unknown) => this.failed("No webhook could be begun", error));
      if (job?.webhook === undefined) break;
      const sending = this.deliver(job, job.webhook).finally(() => {
        this.running.delete(sending);
        this.poll();
      });
      this.running.set(sending, webhookServer(job.webhook));
    }
  }

  /** Milliseconds after which a sender counts as lost. */
  private get lease(): number {
    return 2 * this.options.configuration.timeout + slack;
  }

  /** Servers with as many running deliveries as allowed, so that a hanging server does not block others. */
  private busyServers(): string[] {
    const counts = new Map<string, number>();
    for (const server of this.running.values()) counts.set(server, (counts.get(server) ?? 0) + 1);
    const { concurrencyPerServer } = this.options.configuration;
    return [...counts].filter(([, count]) => count >= concurrencyPerServer).map(([server]) => server);
  }

  private async deliver(job: Job, webhook: Webhook): Promise<void> {
    const { log, attempted } = this.options;
    const begun = monotonicTime();
    const outcome = await this.send(job, webhook);
    await this.settle({ id: job.id, attempts: webhook.attempts }, outcome, begun + this.lease);
    // The regular polls find later ones.
    if (outcome.state === "waiting" && outcome.delay < pollInterval) this.poller.pollIn(outcome.delay);
    log.info("webhook", {
      became: outcome.state,
      job: shownId(job.id),
      requestId: job.request.requestId,
      host: webhookServer(webhook),
      attempt: webhook.attempts,
      milliseconds: Math.round(monotonicTime() - begun),
      ...(outcome.state !== "delivered" && { reason: outcome.error }),
    });
    attempted(job.id, outcome.state);
  }

  /**
   * Stores an outcome; retries during an outage of the engine until the deadline. If that fails, the webhook is sent again once
   * this attempt counts as lost: twice is better than never.
   */
  private async settle(claim: WebhookClaim, outcome: WebhookOutcome, deadline: number): Promise<void> {
    const { signal } = this.ending;
    for (;;) {
      try {
        await this.options.store.settleWebhook(claim, outcome);
        return;
      } catch (error) {
        this.failed("What became of a webhook could not be stored", error);
        if (signal.aborted || !isEngineUnavailable(error) || monotonicTime() >= deadline) return;
        await wait(settlePause, signal);
      }
    }
  }

  private async send(job: Job, { url, signer, failures }: Webhook): Promise<WebhookOutcome> {
    const { configuration, secrets, fetch } = this.options;
    const body = JSON.stringify(jobResource(job));
    const message = { id: job.id, timestamp: Math.floor(Date.now() / 1000), body };
    const signatures = await secrets
      .inForce(signer)
      .then((inForce) => webhookHeaders(message, inForce))
      .catch((error: unknown) => this.failed("A webhook could not be signed", error));
    if (signatures === undefined) return putOff("The host could not sign it.", ownPause);
    const failed = (error: string): WebhookOutcome =>
      failures + 1 >= configuration.attempts
        ? { state: "failed", error }
        : { state: "waiting", error, delay: this.pauseAfter(failures), isFailure: true };
    const { signal, end } = deadlineSignal(
      this.ending.signal,
      configuration.timeout,
      () => new Error(`The receiver did not answer within ${configuration.timeout} ms.`),
    );
    try {
      const { status } = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "User-Agent": "Slipway", ...signatures },
        body: Buffer.from(body),
        signal,
        isStatusOnly: true,
      });
      if (status >= 200 && status < 300) return { state: "delivered" };
      // Standard Webhooks: the receiver wants no more of them.
      if (status === 410) return { state: "failed", error: "The receiver answered 410, it is gone." };
      return failed(`The receiver answered ${status}.`);
    } catch (error) {
      const { aborted, reason } = signal;
      if (aborted && reason === this.ending.signal.reason) return putOff(stopped, 0);
      if (error instanceof RequestError || (aborted && error instanceof Error)) return failed(error.message);
      this.failed("A webhook could not be sent", error);
      return failed("It could not be sent; the log of the host has the reason.");
    } finally {
      end();
    }
  }

  /** Milliseconds after an attempt that failed, as so many before it. */
  private pauseAfter(failures: number): number {
    const pause = Math.min(this.options.configuration.pause * growth ** failures, longestPause);
    return Math.round(pause * (1 - jitter + 2 * jitter * Math.random()));
  }

  private failed(message: string, error: unknown): void {
    logUnlessOutage(this.options.log, message, error);
  }
}

/** Not a failure of the receiver, so it does not count towards its attempts. */
function putOff(error: string, delay: number): WebhookOutcome {
  return { state: "waiting", error, delay, isFailure: false };
}
