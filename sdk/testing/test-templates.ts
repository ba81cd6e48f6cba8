import type { TemplateOptions } from "../plugin/template.js";

/** What a template of a test gets beside its data. */
export interface TestRendering {
  /** Of texts, such as "de_DE". */
  locale: string;
  /** Of numbers, prices and dates. */
  formatLocale: string;
}

/** A template that a test brings along for `host.templates` and `host.pdf`. */
export interface TestTemplate {
  /** What requests name it by. */
  key: string;
  /** The document for the data that the plugin gives, after a way through JSON. What it throws ends with 500 `template-error`. */
  html(data: unknown, rendering: TestRendering): string | Promise<string>;
  /** As clients see it; without it the key. */
  name?: string;
  /** Other keys that mean it. */
  aliases?: readonly string[];
  /** What clients may choose; nothing, unless it is given. */
  options?: TemplateOptions;
  /** Tagged PDF; default false. */
  accessibility?: boolean;
  /** Runs its scripts when it is printed; default false. */
  scripts?: boolean;
  /** Articles carry all lines of their price sheets; default false. */
  calculationLines?: boolean;
}

/** The templates of a test host. */
export type TestTemplates = readonly TestTemplate[];
