/** A template version in a rendering process: compiled once, rendered many times. */
import { type Locale, parseLocale, textDirection } from "@slipway/sdk";
import type { ReviewedTemplate, TemplateReview } from "./authoring/template-review.js";
import { compileTemplateFile } from "./compile-template.js";
import {
  documentFrame,
  escapeHtml,
  inlineStyle,
  marginFiles,
  marginText,
  pageMark,
  pagesMark,
} from "./document-frame.js";
import { documentLocale, SpokenTexts } from "./localized-template.js";
import { refusedCalls } from "./refused-calls.js";
import type { RenderQuestion, TemplatePackage } from "./render-messages.js";
import type { Evaluate, TemplateFunction } from "./template-evaluator.js";
import { helperNames, templateHelpers } from "./template-helpers.js";
import type { TemplateProblem } from "./template-problem.js";

const longestMarginHtml = 20_000;
/** Enough for two nested partials per level of the deepest project. */
const deepestInclude = 250;

/** An error of a template with its place. */
export class TemplateFailure extends Error {
  override readonly name = "TemplateFailure";

  constructor(readonly problem: TemplateProblem) {
    super(problem.message);
  }
}

/** How the files of a template are compiled and run. */
export interface ProgramOptions {
  strict: boolean;
  outputLimit: number;
  /** Begins the review of a template for its author, where there is one. */
  review?: ((template: Omit<ReviewedTemplate, "globals" | "isStrict">) => TemplateReview) | undefined;
  /** Called in each round of a loop of a reviewed template. */
  looped?: (() => void) | undefined;
}

export class TemplateProgram {
  readonly problems: readonly TemplateProblem[];
  private readonly functions: ReadonlyMap<string, TemplateFunction>;
  private readonly assets: ReadonlySet<string>;
  private readonly style: string;
  private readonly review: TemplateReview | undefined;
  private latest: TemplateRun | undefined;

  constructor(
    private readonly template: TemplatePackage,
    evaluate: Evaluate,
    private readonly options: ProgramOptions,
  ) {
    this.review = options.review?.(reviewedTemplate(template));
    const { functions, problems } = compileAll(template, evaluate, options, this.review);
    this.review?.finish();
    this.functions = functions;
    this.problems = problems;
    this.assets = new Set(template.assets);
    this.style = inlineStyle(template.style, template.version, this.assets);
  }

  /** For authors: problems that do not keep the template from being served. */
  get notes(): readonly TemplateProblem[] {
    return this.review?.notes ?? [];
  }

  /** The document, the keys without a translation, and notes for authors. Throws a `TemplateFailure`. */
  render(question: RenderQuestion): { html: string; missing: string[]; notes: TemplateProblem[] } {
    const wanted = localeOf(question.locale);
    const run = new TemplateRun(this.functions, this.options.outputLimit, this.options.looped);
    const notes: TemplateProblem[] = [];
    const data = readData(question.data, (parsed) =>
      this.review ? this.review.watch(parsed, () => run.innermost(), notes) : frozen(parsed),
    );
    const missing = new Set<string>();
    const texts = new SpokenTexts(this.template.translations, wanted);
    const locale = documentLocale(this.template.translations, wanted);
    const helpers = templateHelpers({
      version: this.template.version,
      assets: this.assets,
      locale,
      formatLocale: localeOf(question.formatLocale),
      currency: textAt(data, "currency"),
      texts,
      missing,
    });
    this.latest = run;
    const locals = Object.freeze({ ...helpers, data });
    const body = run.file("report", locals);
    const marginLocals = Object.freeze({ ...locals, page: pageMark, pages: pagesMark });
    const margins = Object.fromEntries(
      marginFiles.map((name) => [name, this.marginText(run, name, marginLocals)]),
    );
    const title = this.title(texts, locale, data);
    const { page } = this.template;
    const frame = { language: locale.tag, direction: textDirection(locale), page, style: this.style };
    return { html: documentFrame({ title, body, margins }, frame), missing: [...missing], notes };
  }

  /** The place of an interrupted rendering; undefined before the first one. */
  interruptedAt(): Pick<TemplateProblem, "file" | "line"> | undefined {
    return this.latest?.innermost();
  }

  private marginText(run: TemplateRun, name: string, locals: object): string {
    if (!this.functions.has(name)) return "";
    const html = run.file(name, locals);
    if (html.length <= longestMarginHtml) return marginText(html);
    const message = `the output has ${html.length} characters; a margin may have ${longestMarginHtml}`;
    throw new TemplateFailure({ file: `${name}.ejs`, line: undefined, message });
  }

  private title(texts: SpokenTexts, locale: Locale, data: unknown): string {
    const { name } = this.template;
    const title = texts.get("title") ?? name[locale.language] ?? name["en"] ?? Object.values(name)[0] ?? "";
    const project: unknown =
      typeof data === "object" && data !== null && "project" in data ? data.project : undefined;
    return [title, textAt(project, "name")].filter((part) => part !== "").join(" – ");
  }
}

/** One rendering: tracks the current partials and the origin of an error. */
class TemplateRun {
  private readonly frames: { file: string; line?: () => unknown }[] = [];
  private thrown: { error: unknown; file: string; line: number | undefined } | undefined;
  private readonly exceeded = Object.freeze((): never => {
    throw new RangeError(`the output has more than ${this.outputLimit} characters`);
  });

  constructor(
    private readonly functions: ReadonlyMap<string, TemplateFunction>,
    private readonly outputLimit: number,
    private readonly looped: (() => void) | undefined,
  ) {}

  /** The output of a template file; every error becomes a `TemplateFailure`. */
  file(name: string, locals: object): string {
    try {
      return this.call(name, locals);
    } catch (error) {
      const at = this.thrown?.error === error ? this.thrown : undefined;
      throw new TemplateFailure({
        file: at?.file ?? `${name}.ejs`,
        line: at?.line,
        message: messageOf(error),
      });
    }
  }

  private call(name: string, locals: object): string {
    const render = this.functions.get(name);
    if (!render) throw new RangeError(`include: the template has no file ${JSON.stringify(`${name}.ejs`)}`);
    if (this.frames.length >= deepestInclude)
      throw new RangeError(`include: nested deeper than ${deepestInclude}`);
    const began = this.enter(`${name}.ejs`);
    try {
      const rethrow = this.rethrower(name);
      const { exceeded, looped } = this;
      const output = render(locals, escapeText, this.includer(locals), rethrow, exceeded, began, looped);
      if (typeof output !== "string") return "";
      // The generated function checks the limit too, but the template can change its variables.
      return output.length > this.outputLimit ? this.exceeded() : output;
    } finally {
      this.frames.pop();
    }
  }

  /** Only the first call counts; the template could call it again. */
  private enter(file: string): (line: () => unknown) => void {
    const frame: { file: string; line?: () => unknown } = { file };
    this.frames.push(frame);
    return Object.freeze((line: () => unknown) => {
      frame.line ??= line;
    });
  }

  /** The innermost frame when execution was interrupted, which leaves all frames in place. */
  innermost(): Pick<TemplateProblem, "file" | "line"> | undefined {
    const frame = this.frames.at(-1);
    return frame && { file: frame.file, line: lineNumber(frame.line?.()) };
  }

  /** Partials see the locals of their caller and the given parameters. */
  private includer(locals: object): (name: unknown, more?: unknown) => string {
    return Object.freeze((name: unknown, more?: unknown) => {
      const path = String(name);
      const added = typeof more === "object" && more !== null ? more : {};
      return this.call(
        path.endsWith(".ejs") ? path.slice(0, -4) : path,
        Object.freeze({ ...locals, ...added }),
      );
    });
  }

  /** The innermost file is the origin; outer files only rethrow the error. */
  private rethrower(name: string): (error: unknown, line: unknown) => never {
    return Object.freeze((error: unknown, line: unknown): never => {
      if (this.thrown?.error !== error) this.thrown = { error, file: `${name}.ejs`, line: lineNumber(line) };
      throw error;
    });
  }
}

const escapeText = Object.freeze((value: unknown) => escapeHtml(value));

function reviewedTemplate({ texts, shared, options }: TemplatePackage) {
  const helpers = helperNames(localeOf("en"));
  const roots = new Map<string, readonly string[]>([
    ["report", helpers],
    ...marginFiles.map((name): [string, readonly string[]] => [name, [...helpers, "page", "pages"]]),
  ]);
  return { files: Object.keys(texts), shared, options, roots };
}

function compileAll(
  template: TemplatePackage,
  evaluate: Evaluate,
  options: ProgramOptions,
  review: TemplateReview | undefined,
): { functions: Map<string, TemplateFunction>; problems: TemplateProblem[] } {
  const functions = new Map<string, TemplateFunction>();
  const problems: TemplateProblem[] = [];
  for (const [name, text] of Object.entries(template.texts)) {
    const file = `${name}.ejs`;
    const compiled = compileTemplateFile(file, text, {
      ...options,
      review: review && ((code, lines) => review.read(name, code, lines)),
    });
    if ("problem" in compiled) problems.push(compiled.problem);
    else {
      try {
        functions.set(name, evaluate(compiled.source));
      } catch (error) {
        problems.push({ file, line: undefined, message: messageOf(error) });
      }
    }
  }
  return { functions, problems };
}

/** A template can overwrite the line variable. */
function lineNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** A template can throw any value, and reading the value can fail. */
function messageOf(error: unknown): string {
  try {
    const message = String(error instanceof Error ? error.message : error);
    return refusedCalls.get(message) ?? message.slice(0, 500);
  } catch {
    return "an error without a message";
  }
}

function localeOf(text: string): Locale {
  const locale = parseLocale(text);
  if (!locale) throw new RangeError(`${JSON.stringify(text)} is not a locale`);
  return locale;
}

function textAt(value: unknown, name: string): string {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === "string" ? member : "";
}

function readData(text: string, finished: (parsed: unknown) => unknown): unknown {
  try {
    return finished(JSON.parse(text));
  } catch (error) {
    throw new TemplateFailure({ file: "data", line: undefined, message: messageOf(error) });
  }
}

/** Freezes parsed JSON recursively. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
