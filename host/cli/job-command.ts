import { Command, Option } from "commander";
import { type JobResource, JobState } from "../jobs/jobs.js";
import { localTime, print, printable, printJson, table } from "../system/terminal-text.js";
import { commandGroup, WrongUse } from "./command-group.js";
import { count } from "./feeds.js";
import type { JobClient } from "./job-client.js";
import {
  type RunningHostOptions,
  runningHostOf,
  withAnswerOptions,
  withRunningHostOptions,
} from "./running-host-options.js";
import { endProgress, tellProgress } from "./standard-output.js";

const idText = "its id, or the beginning of it: at least 8 characters that no other job begins with";

/** `slipway job`: the jobs of a running host. */
export function jobCommand(): Command {
  const group = new Command("job").addHelpText(
    "after",
    `
A job is a request to a plugin that is answered later: clients ask for one with the header "Prefer: respond-async". Ids that begin
with - are written after --.

Examples:
  $ slipway job list --state running
  $ slipway job wait 5f0c7a1eBq                 until it has ended
  $ slipway job result 5f0c7a1eBq --out reports/
  $ slipway job cancel 5f0c7a1eBq
  $ slipway job secret                          what webhooks are signed with`,
  );
  return commandGroup(group, [
    jobListCommand(),
    jobShowCommand(),
    jobWaitCommand(),
    jobResultCommand(),
    jobCancelCommand(),
    jobSecretCommand(),
  ]);
}

async function clientOf(options: RunningHostOptions): Promise<JobClient> {
  const { JobClient } = await import("./job-client.js");
  return new JobClient(runningHostOf(options));
}

interface ListOptions extends RunningHostOptions {
  state?: JobState;
  limit: number;
}

function jobListCommand(): Command {
  const command = new Command("list")
    .description("list the jobs of a running host, the latest first")
    .addOption(new Option("--state <state>", "only those in a state").choices([...JobState.enum]))
    .option("--limit <number>", "how many, 1000 at most", count, 100)
    .addHelpText(
      "after",
      `
Whoever knows the id of a job can read its answer: a key without the role "sessions" sees the beginnings of ids only.

Examples:
  $ slipway job list
  $ slipway job list --state failed --limit 20`,
    );
  return withAnswerOptions(command).action(async (options: ListOptions) => {
    const answer = await (await clientOf(options)).list(options);
    if (options.json) return printJson(answer);
    if (answer.jobs.length === 0) print(["There are no jobs."]);
    else
      print(
        table(
          ["JOB", "STATE", "CREATED", "ATTEMPT", "PLUGIN", "OPERATION", "HOST", ""],
          answer.jobs.map(row),
        ),
      );
  });
}

function row(job: JobResource): string[] {
  const { id, state, created, attempt, plugin, method, operation, host = "" } = job;
  return [
    id,
    state,
    localTime(created),
    String(attempt),
    plugin,
    `${method} ${operation}`,
    host,
    detailOf(job),
  ];
}

/** The error or the progress. */
function detailOf({ error, progress, state }: JobResource): string {
  if (error !== undefined) return `${error.id}: ${error.message}`;
  if (progress === undefined || state !== "running") return "";
  const { part, text } = progress;
  return `${Math.round(part * 100)} %${text === undefined ? "" : `, ${text}`}`;
}

function jobShowCommand(): Command {
  const command = new Command("show")
    .description("show one job")
    .argument("<id>", idText)
    .addHelpText("after", "\nExamples:\n  $ slipway job show 5f0c7a1eBq");
  return withAnswerOptions(command).action(async (id: string, options: RunningHostOptions) => {
    show(await (await clientOf(options)).get(id), options);
  });
}

function show(job: JobResource, { json }: RunningHostOptions): void {
  if (json) {
    printJson(job);
    return;
  }
  const { webhook } = job;
  const time = (text: string | undefined): string | undefined =>
    text === undefined ? text : localTime(text);
  const told =
    webhook && `${webhook.state} to ${webhook.server}, sent ${webhook.attempts} times${noteOf(webhook)}`;
  const lines: [string, string | undefined][] = [
    ["Job", job.id],
    ["State", job.state],
    ["Plugin", job.plugin],
    ["Operation", `${job.method} ${job.operation}`],
    ["Release", job.release],
    ["Attempt", String(job.attempt)],
    ["Created", time(job.created)],
    ["Started", time(job.started)],
    ["Finished", time(job.finished)],
    ["Progress", job.state === "running" ? detailOf(job) : undefined],
    ["Result", job.result && `${job.result.code} ${job.result.url}`],
    ["Error", job.error && detailOf(job)],
    ["Webhook", told],
  ];
  print(
    lines.flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`${name.padEnd(10)} ${printable(value)}`],
    ),
  );
}

function noteOf({ error, next }: NonNullable<JobResource["webhook"]>): string {
  const again = next === undefined ? "" : `, again at ${localTime(next)}`;
  return `${again}${error === undefined ? "" : `: ${error}`}`;
}

function jobWaitCommand(): Command {
  const command = new Command("wait")
    .description("wait until a job has ended, and show it; exits with 1 unless it is done")
    .argument("<id>", idText)
    .addHelpText(
      "after",
      "\nAt a terminal, its progress is shown.\n\nExamples:\n  $ slipway job wait 5f0c7a1eBq",
    );
  return withAnswerOptions(command).action(async (id: string, options: RunningHostOptions) => {
    const job = await (await clientOf(options)).ended(id, (now) => {
      tellProgress(`${now.plugin} ${now.operation}: ${now.state} ${detailOf(now)}`);
    });
    endProgress();
    show(job, options);
    if (job.state !== "done") process.exitCode = 1;
  });
}

interface ResultOptions extends RunningHostOptions {
  out?: string;
}

function jobResultCommand(): Command {
  const command = new Command("result")
    .description("print the answer to the request of a job, or write the files that it names")
    .argument("<id>", idText)
    .option("--out <place>", "folder for its files, or the file to write where there is one only")
    .addHelpText(
      "after",
      `
With --out, the paths of the files go to standard output. Files that are there are replaced.

Examples:
  $ slipway job result 5f0c7a1eBq
  $ slipway job result 5f0c7a1eBq --out quote.pdf
  $ slipway job result 5f0c7a1eBq --out orders/`,
    );
  return withRunningHostOptions(command).action(async (id: string, options: ResultOptions) => {
    const client = await clientOf(options);
    const result = await client.result(id);
    if (options.out !== undefined) return print(await client.write(result, options.out));
    if (result.kind === "json") return printJson(result.value);
    const isText = result.mediaType.startsWith("text/");
    if (process.stdout.isTTY && !isText)
      throw new WrongUse(`The answer is ${printable(result.mediaType)}; name a file for it with --out.`);
    process.stdout.write(Buffer.from(await result.response.arrayBuffer()));
  });
}

function jobCancelCommand(): Command {
  const command = new Command("cancel")
    .description("cancel a job of a running host; one that has ended stays as it is")
    .argument("<id>", idText)
    .option("--json", "print the job afterwards as JSON")
    .addHelpText("after", "\nExamples:\n  $ slipway job cancel 5f0c7a1eBq");
  return withRunningHostOptions(command).action(async (id: string, options: RunningHostOptions) => {
    const job = await (await clientOf(options)).cancel(id);
    if (options.json) return printJson(job);
    const isCancelled = job.state === "cancelled";
    print([`Job ${job.id} ${isCancelled ? "is cancelled" : `had ended before: it is ${job.state}`}.`]);
  });
}

interface SecretOptions extends RunningHostOptions {
  rotate?: true;
  ofHost?: true;
}

function jobSecretCommand(): Command {
  const command = new Command("secret")
    .description("print the secret that webhooks are signed with")
    .option("--rotate", "replace it; webhooks are signed with the previous one, too, for a day")
    .option("--of-host", "that of requests without a key")
    .addHelpText(
      "after",
      `
Each key has a secret of its own, which keys of the same name share. Receivers check with it, as Standard Webhooks describes, that
it is this host that tells them of the end of a job.

Examples:
  $ slipway job secret --key-file orders.key
  $ slipway job secret --rotate`,
    );
  return withAnswerOptions(command).action(async (options: SecretOptions) => {
    const of = options.ofHost ? "host" : "key";
    const answer = await (await clientOf(options)).secret(of, options.rotate === true);
    if (options.json) printJson(answer);
    else print([answer.secret]);
  });
}
