/**
 * Entry of a rendering process. It contains nothing of value to a template: no environment, no session, no file of the
 * host. Modules that compile code or change built-in objects are imported before `lockdown` freezes them.
 */
import { Script } from "node:vm";
import "ses";
import { hostCheck } from "../system/host-check.js";
import type {
  LoadQuestion,
  RenderProcessMessage,
  RenderProcessOptions,
  RenderProcessReply,
  RenderQuestion,
  TemplatePackage,
} from "./render-messages.js";
import { allowedGlobals, compartmentEvaluator, unprotectedEvaluator } from "./template-evaluator.js";
import type { TemplateProblem } from "./template-problem.js";
import { TemplateFailure, TemplateProgram } from "./template-program.js";

const checkMessage = hostCheck<typeof RenderProcessMessage>("message", "render-message");
const checkOptions = hostCheck<typeof RenderProcessOptions>("options", "render-options");
const options = readOptions(process.argv[2]);

/** Only for authors, because it loads a parser. */
const authoring = options.isForAuthors
  ? {
      Review: (await import("./authoring/template-review.js")).TemplateReview,
      looped: (await import("./authoring/loop-memory.js")).loopMemory(options.memoryLimit),
    }
  : undefined;
const globals = new Set(
  options.strict
    ? [...allowedGlobals].filter((name) => typeof name === "string")
    : Object.getOwnPropertyNames(globalThis),
);

if (options.strict) {
  lockdown({ errorTrapping: "none", unhandledRejectionTrapping: "none", reporting: "none" });
}

/** Milliseconds: the templates are loaded first. */
const formatsAfter = 500;

const programs = new Map<string, TemplateProgram>();
const script = new Script("slipwayWork()");

process.on("message", (message: unknown) => {
  const checked = checkMessage(message);
  if (!checked.ok) throw new Error("A message that this process does not know.");
  if (checked.value.type === "forget") programs.delete(checked.value.version);
  else answer(checked.value);
});
process.on("disconnect", () => process.exit());
// Service managers and Ctrl+C signal this process along with the host, which first finishes running reports.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
// A rejected promise of a template that is not awaited has no effect.
process.on("unhandledRejection", () => undefined);
process.send?.({ type: "ready" } satisfies RenderProcessReply);
// The first number format loads the formatting of all languages, which takes as long as some reports.
setTimeout(() => new Intl.NumberFormat("en").format(0), formatsAfter).unref();

function readOptions(text: string | undefined): RenderProcessOptions {
  const checked = checkOptions(JSON.parse(text ?? "null"));
  if (!checked.ok) throw new Error("This process is started by the host.");
  return checked.value;
}

/** Replies after all deferred code of the template has run, so that it cannot affect the next question. */
function answer(question: LoadQuestion | RenderQuestion): void {
  const work = () => (question.type === "load" ? load(question.template) : render(question));
  const reply = limited(work) ?? overtime(question);
  setImmediate(() => {
    process.send?.(reply, () => {
      if (reply.type === "overtime") process.exit();
    });
  });
}

function load(template: TemplatePackage): RenderProcessReply {
  const evaluate = options.strict ? compartmentEvaluator() : unprotectedEvaluator();
  const { strict, outputLimit } = options;
  const program = new TemplateProgram(template, evaluate, {
    strict,
    outputLimit,
    review: authoring && ((reviewed) => new authoring.Review({ ...reviewed, globals, isStrict: strict })),
    looped: authoring?.looped,
  });
  programs.set(template.version, program);
  const { problems, notes } = program;
  return { type: "loaded", problems: problems.map(sendable), notes: notes.map(sendable) };
}

function render(question: RenderQuestion): RenderProcessReply {
  const program = programs.get(question.version);
  if (!program) throw new Error(`The version ${question.version} was not loaded.`);
  try {
    const { html, missing, notes } = program.render(question);
    return { type: "rendered", html, missing, notes: notes.map(sendable) };
  } catch (error) {
    if (error instanceof TemplateFailure) return { type: "failed", problem: sendable(error.problem) };
    throw error;
  }
}

function overtime(question: LoadQuestion | RenderQuestion): RenderProcessReply {
  const program = question.type === "render" ? programs.get(question.version) : undefined;
  const { file, line } = program?.interruptedAt() ?? { file: "report.ejs" };
  return { type: "overtime", file, line: line ?? null };
}

/** Ends an endless loop from within, so that it ends even without the host; returns undefined in that case. */
function limited(work: () => RenderProcessReply): RenderProcessReply | undefined {
  let reply: RenderProcessReply | undefined;
  Reflect.set(globalThis, "slipwayWork", () => {
    reply = work();
  });
  try {
    script.runInThisContext({ timeout: options.timeLimit });
  } catch (error) {
    if (!isOvertime(error)) throw error;
  }
  return reply;
}

function isOvertime(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function sendable(problem: TemplateProblem) {
  const { file, line, column, message } = problem;
  return {
    file: file.slice(0, 1000),
    line: line ?? null,
    ...(column !== undefined && { column }),
    message: message.slice(0, 2000),
  };
}
