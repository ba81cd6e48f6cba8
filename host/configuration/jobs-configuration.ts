import { type Static, Type } from "@slipway/sdk";
import { clientShare } from "../system/fair-queue.js";
import { live } from "./live.js";
import { Count, Milliseconds } from "./numbers.js";

/** The section `jobs` of the configuration. */
export const JobsConfiguration = Type.Object(
  {
    concurrency: Count(4, "Jobs that this host works on at the same time; 0: it leaves them to others.", 0),
    queue: Count(1000, "Jobs that may wait; further ones get 503."),
    clientShare: clientShare("Part of that queue"),
    waiting: Count(
      100,
      "Requests for whose answers clients wait that this host leaves to others at the same time while it is overloaded; 0: none.",
      0,
    ),
    attempts: Count(
      3,
      "Attempts at a job that may end without an answer, because its host or plugin was lost.",
    ),
    timeout: Milliseconds(
      600_000,
      "Deadline of one attempt, in milliseconds, for operations whose own is shorter.",
    ),
    lease: Milliseconds(
      30_000,
      "Time after which another host begins a job whose host shows no sign of life, in milliseconds.",
      { minimum: 1000 },
    ),
    lifetime: Milliseconds(
      86_400_000,
      "How long a job may wait, and how long an ended one is kept with its answer, in milliseconds.",
    ),
    maximumJobs: Count(10_000, "Number of jobs, ended ones included."),
    maximumBytes: Count(1024 ** 3, "Bytes of the requests and answers of all jobs."),
  },
  { additionalProperties: false, default: {}, ...live },
);
export type JobsConfiguration = Static<typeof JobsConfiguration>;
