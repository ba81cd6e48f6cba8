import { type Log, RequestError } from "@slipway/sdk";
import type { WebhooksConfiguration } from "../configuration/webhooks-configuration.js";
import type { OutgoingFetch } from "../fetch/outgoing-fetch.js";
import { shownId } from "../observability/requests/request-names.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import { monotonicTime, settlesWithin } from "../system/time.js";
import type { Job, Webhook } from "./job.js";
import { jobResource } from "./job-resource.js";
import type { JobStore, WebhookOutcome } from "./job-store.js";
import type { WebhookSecrets } from "./webhook-secrets.js";
import { webhookHeaders } from "./webhook-signature.js";

export interface WebhookDeliveriesOptions {
  store: Pick<JobStore, "claimWebhook" | "settleWebhook">;
  /** Read at each use, because it may change. */
  configuration: WebhooksConfiguration;
  secrets: Pick<WebhookSecrets, "inForce">;
  /** Sends to servers that the configuration allows. */
  fetch: OutgoingFetch;
  log: Log;
  /** An attempt has ended; must not throw. */
  attempted(id: string, outcome: WebhookOutcome["state"]): void;
}

/** Milliseconds between looks for webhooks that are due. */
const lookInterval = 1000;
/** Milliseconds for storing what came of an attempt; after twice the time-out and these its sender counts as lost. */
const slack = 2000;
/** By which each pause is longer than the one before; 8 attempts end within 24 hours. */
const growth = 4.8;
/** Part by which a pause is longer or shorter by chance, so that receivers that were away are not asked by all at once. */
const jitter = 0.1;
const longestPause = 86_400_000;

/** Tells clients of the ends of their jobs: at least once, or until the attempts are used up. */
export class WebhookDeliveries {
  private readonly running = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private isWanted = false;
  private isOpen = false;

  constructor(private readonly options: WebhookDeliveriesOptions) {}

  start(): void {
    this.isOpen = true;
    this.timer = setInterval(() => this.look(), lookInterval).unref();
    this.look();
  }

  /** Sends what is due, as far as there is room. */
  look(): void {
    this.isWanted = true;
    this.looking ??= this.sendAll().finally(() => {
      this.looking = undefined;
    });
  }

  /** Begins nothing more, and ends after some milliseconds what goes on. Resolves when nothing is sent. */
  async drain(milliseconds: number): Promise<void> {
    this.isOpen = false;
    clearInterval(this.timer);
    await this.looking;
    await settlesWithin(Promise.all(this.running), milliseconds);
    this.ending.abort(new Error("The host stopped before the receiver answered."));
    await Promise.all(this.running);
  }

  private async sendAll(): Promise<void> {
    const { store, configuration } = this.options;
    while (this.isWanted) {
      this.isWanted = false;
      while (this.isOpen && this.running.size < configuration.concurrency) {
        const job = await store.claimWebhook(2 * configuration.timeout + slack).catch((error: unknown) => {
          this.failed("No webhook could be begun", error);
        });
        if (job?.webhook === undefined) break;
        const sending = this.deliver(job, job.webhook).finally(() => {
          this.running.delete(sending);
          this.look();
        });
        this.running.add(sending);
      }
    }
  }

  private async deliver(job: Job, webhook: Webhook): Promise<void> {
    const { store, log, attempted } = this.options;
    const begun = monotonicTime();
    const outcome = await this.send(job, webhook);
    const { attempts } = webhook;
    // Without that, it is sent again once this attempt counts as lost: rather twice than never.
    await store
      .settleWebhook({ id: job.id, attempts }, outcome)
      .catch((error: unknown) => this.failed("What became of a webhook could not be stored", error));
    log.info("webhook", {
      became: outcome.state,
      job: shownId(job.id),
      requestId: job.request.requestId,
      host: new URL(webhook.url).host,
      attempt: attempts,
      milliseconds: Math.round(monotonicTime() - begun),
      ...(outcome.state !== "delivered" && { reason: outcome.error }),
    });
    attempted(job.id, outcome.state);
  }

  private async send(job: Job, { url, signer, attempts }: Webhook): Promise<WebhookOutcome> {
    const { configuration, secrets, fetch } = this.options;
    const isLast = attempts >= configuration.attempts;
    const failed = (error: string): WebhookOutcome =>
      isLast ? { state: "failed", error } : { state: "waiting", error, delay: this.pauseAfter(attempts) };
    // A host was lost with the last one.
    if (attempts > configuration.attempts) return failed("Nothing is known of the last attempt.");
    const message = {
      id: job.id,
      timestamp: Math.floor(Date.now() / 1000),
      body: JSON.stringify(jobResource(job)),
    };
    const abort = new AbortController();
    const late = setTimeout(
      () => abort.abort(new Error(`The receiver did not answer within ${configuration.timeout} ms.`)),
      configuration.timeout,
    );
    const end = (): void => abort.abort(this.ending.signal.reason);
    this.ending.signal.addEventListener("abort", end, { once: true });
    try {
      const { status } = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "User-Agent": "Slipway",
          ...webhookHeaders(message, await secrets.inForce(signer)),
        },
        body: Buffer.from(message.body),
        signal: abort.signal,
        isStatusOnly: true,
      });
      if (status >= 200 && status < 300) return { state: "delivered" };
      // Standard Webhooks: the receiver wants no more of them.
      if (status === 410) return { state: "failed", error: "The receiver answered 410, it is gone." };
      return failed(`The receiver answered ${status}.`);
    } catch (error) {
      if (!(error instanceof RequestError) && !abort.signal.aborted)
        this.failed("A webhook could not be sent", error);
      return failed(
        error instanceof RequestError || (abort.signal.aborted && error instanceof Error)
          ? error.message
          : "It could not be sent; the log of the host has the reason.",
      );
    } finally {
      clearTimeout(late);
      this.ending.signal.removeEventListener("abort", end);
    }
  }

  /** Milliseconds. */
  private pauseAfter(attempts: number): number {
    const pause = Math.min(this.options.configuration.pause * growth ** (attempts - 1), longestPause);
    return Math.round(pause * (1 - jitter + 2 * jitter * Math.random()));
  }

  private failed(message: string, error: unknown): void {
    // An outage of the engine has its own line.
    if (!isEngineUnavailable(error)) this.options.log.error(message, { error });
  }
}
