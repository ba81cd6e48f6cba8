import type { ComponentChildren } from "preact";
import type { HostClient } from "../client/host-client.js";
import { useHost, useMay } from "../client/host-context.js";
import type { ListedJob } from "../client/operations.js";
import { useAnswer } from "../client/use-answer.js";
import { Badge, type Tone } from "../parts/badge.js";
import type { IconName } from "../parts/button.js";
import { Empty } from "../parts/panel.js";
import { counted, shownDuration } from "../parts/shown-values.js";
import { type Column, TablePanel } from "../parts/table.js";
import { Ago } from "../parts/time.js";
import { toastSuccess } from "../parts/toasts.js";
import { EntriesView, shortId } from "./entries-view.js";

const pollInterval = 2000;

/** Jobs, the latest first, without their responses. */
export function JobsView() {
  const host = useHost();
  const canRead = useMay("read", "sessions");
  const { value, ...answer } = useAnswer(canRead ? "GET /api/jobs" : undefined, {}, pollInterval);
  return (
    <EntriesView
      {...answer}
      title="Jobs"
      entries={value?.jobs}
      summary={summary}
      verb="Cancel"
      noun="job"
      idOf={({ id }) => id}
      table={(jobs, action) => (
        <TablePanel
          title="Latest"
          empty={
            <Empty icon="jobs" title="There are no jobs">
              Clients ask for one with the header <code>Prefer: respond-async</code>.
            </Empty>
          }
          caption="Jobs"
          rows={jobs}
          keyOf={({ id, created }) => `${id} ${created}`}
          columns={columns(action)}
        />
      )}
      end={(job) => cancel(host, job)}
      consequences={({ plugin }) => (
        <p>
          The work of <strong>{plugin}</strong> ends without an answer, and its client is told that the job
          was cancelled.
        </p>
      )}
    />
  );
}

function summary(jobs: readonly ListedJob[]): string {
  const inState = (state: ListedJob["state"]): number => jobs.filter((job) => job.state === state).length;
  const failed = inState("failed");
  return [
    `${inState("running")} running`,
    `${inState("queued")} waiting`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${counted(jobs.length, "job")} shown`,
  ].join(", ");
}

function isOpen({ state }: ListedJob): boolean {
  return state === "queued" || state === "running";
}

function columns(action: (job: ListedJob) => ComponentChildren): Column<ListedJob>[] {
  return [
    { title: "Request", kind: "main", cell: (job) => <Request job={job} /> },
    { title: "State", cell: (job) => <State job={job} /> },
    { title: "Job", cell: (job) => <code>{shortId(job.id)}</code> },
    { title: "Attempt", kind: "number", cell: ({ attempt }) => attempt },
    { title: "Host", cell: ({ host = "–" }) => host },
    { title: "Age", cell: ({ created }) => <Ago at={created} /> },
    { title: "Action", kind: "action", cell: (job) => (isOpen(job) ? action(job) : null) },
  ];
}

function Request({ job }: { job: ListedJob }) {
  const { plugin, method, operation, error, webhook } = job;
  return (
    <>
      <strong>{plugin}</strong>
      <p class="quiet">
        {method} {operation}
      </p>
      {error !== undefined && <p class="job-error">{error.message}</p>}
      {webhook !== undefined && <p class="quiet">{webhookText(webhook)}</p>}
    </>
  );
}

function webhookText({ server, state, attempts, error }: NonNullable<ListedJob["webhook"]>): string {
  const words: Record<typeof state, string> = {
    waiting: attempts === 0 ? "will be told" : "will be told again",
    sending: "is being told",
    delivered: "was told",
    failed: `could not be told in ${counted(attempts, "attempt")}`,
  };
  return `${server} ${words[state]}${error === undefined ? "" : `: ${error}`}`;
}

const states: Readonly<Record<ListedJob["state"], { text: string; tone: Tone; icon: IconName }>> = {
  queued: { text: "Waiting", tone: "idle", icon: "waiting" },
  running: { text: "Running", tone: "busy", icon: "working" },
  done: { text: "Done", tone: "good", icon: "good" },
  failed: { text: "Failed", tone: "wrong", icon: "wrong" },
  cancelled: { text: "Cancelled", tone: "idle", icon: "off" },
};

function State({ job: { state, progress, started, finished } }: { job: ListedJob }) {
  const took =
    started === undefined || finished === undefined ? undefined : Date.parse(finished) - Date.parse(started);
  return (
    <>
      <Badge {...states[state]} />
      {state === "running" && progress !== undefined && (
        <p class="job-progress quiet">
          <progress max={1} value={progress.part} aria-label="Progress" />
          {`${Math.round(progress.part * 100)} %`}
          {progress.text !== undefined && <span>{progress.text}</span>}
        </p>
      )}
      {took !== undefined && <p class="quiet">in {shownDuration(took)}</p>}
    </>
  );
}

async function cancel(host: HostClient, job: ListedJob): Promise<void> {
  const { state } = await host.call("DELETE /api/jobs/:id", { params: { id: job.id } });
  toastSuccess(
    state === "cancelled"
      ? `Job ${shortId(job.id)} is cancelled.`
      : `Job ${shortId(job.id)} had ended before: it is ${state}.`,
  );
}
