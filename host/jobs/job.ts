/** The stored form of a job. */
import { AbortingError, type Static, Type } from "@slipway/sdk";
import { RequestProgress } from "@slipway/sdk/runtime";
import type { StoredAnswer } from "./stored-answer.js";

const closed = { additionalProperties: false } as const;

export const JobState = Type.Enum(["queued", "running", "done", "failed", "cancelled"]);
export type JobState = Static<typeof JobState>;

/** A plugin request that is answered later; its input was valid when it came. */
export const JobRequest = Type.Object(
  {
    /** `X-Request-Id`. */
    requestId: Type.String(),
    method: Type.String(),
    /** As sent, with the release if it named one. */
    path: Type.String(),
    /** As sent, without the question mark. */
    query: Type.String(),
    /** Key or address of the client, for fairness between clients. */
    client: Type.Optional(Type.String()),
    /** Origin and prefix for absolute URLs. */
    baseUrl: Type.String(),
    /** Name and version that accepted it. */
    plugin: Type.String(),
    /** Path below the plugin as declared. */
    operation: Type.String(),
    release: Type.String(),
    /** Its client waits for the answer. */
    isUrgent: Type.Optional(Type.Boolean()),
    /** The revision for the answer. */
    session: Type.Optional(Type.Object({ id: Type.String(), revision: Type.Integer() }, closed)),
  },
  closed,
);
export type JobRequest = Static<typeof JobRequest>;

/** The receiver of the end of a job, and the state of the delivery. */
export const Webhook = Type.Object(
  {
    url: Type.String(),
    /** The signer, whose secret signs it. */
    signer: Type.String(),
    state: Type.Enum(["waiting", "sending", "delivered", "failed"]),
    /** How often it was sent; identifies the current sender. */
    attempts: Type.Integer({ minimum: 0 }),
    /** How many attempts failed because of the receiver. */
    failures: Type.Integer({ minimum: 0, default: 0 }),
    /** Milliseconds since the epoch: when it is sent next, or again if its sender is lost. */
    due: Type.Number(),
    /** Why the last attempt failed, for people. */
    error: Type.Optional(Type.String()),
  },
  closed,
);
export type Webhook = Static<typeof Webhook>;

/** A job without its body and its answer. */
export const Job = Type.Object(
  {
    id: Type.String(),
    state: JobState,
    request: JobRequest,
    /** How often it was claimed; identifies the current worker. */
    attempt: Type.Integer({ minimum: 0 }),
    /** How many attempts failed. */
    failures: Type.Integer({ minimum: 0 }),
    progress: Type.Optional(RequestProgress),
    /** The host of the last attempt. */
    host: Type.Optional(Type.String()),
    /** Milliseconds since the epoch. */
    created: Type.Number(),
    started: Type.Optional(Type.Number()),
    finished: Type.Optional(Type.Number()),
    /** Of a job that is done or has failed. */
    status: Type.Optional(Type.Integer()),
    error: Type.Optional(AbortingError),
    webhook: Type.Optional(Webhook),
  },
  closed,
);
export type Job = Static<typeof Job>;

/** How a job ends. */
export interface JobEnd {
  state: "done" | "failed";
  answer: StoredAnswer;
  /** The error object in the answer, if it is one. */
  error?: AbortingError;
}

/** Whether the job has been answered or cancelled. */
export function hasEnded({ state }: Pick<Job, "state">): boolean {
  return state !== "queued" && state !== "running";
}

/** The server of a webhook, with its port if that is not the usual one. */
export function webhookServer({ url }: Pick<Webhook, "url">): string {
  return new URL(url).host;
}

/** Whether the webhook of an ended job is still to be delivered. */
export function isWebhookOwed({ state, webhook }: Pick<Job, "state" | "webhook">): boolean {
  return hasEnded({ state }) && (webhook?.state === "waiting" || webhook?.state === "sending");
}
