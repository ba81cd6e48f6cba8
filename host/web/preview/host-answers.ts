/** What the host answers with, as far as the page reads it. */
import type { OptionField, SuppressedError, TemplateOptions, TemplateRecord } from "@slipway/sdk";

export type { OptionField, SuppressedError, TemplateOptions, TemplateRecord };

/** A value of an option. */
export type OptionValue = string | number | boolean | null;

/** A mistake in a file of a template. */
export interface Problem {
  file: string;
  line?: number | null;
  column?: number;
  message: string;
  /** The line itself. */
  excerpt?: string;
}

/** Where a template stands. */
export interface TemplateState {
  /** The name of its folder where no version serves. */
  key: string;
  aliases: string[];
  folder: string;
  version?: string;
  /** Of a newer version that cannot serve. */
  problems: Problem[];
  /** Of the version that serves. */
  warnings: string[];
}

/** Something happened to a template. */
export interface TemplateEvent {
  key: string;
  aliases: string[];
  folder: string;
  state: "served" | "refused" | "removed";
  version?: string;
  problems: Problem[];
  time: string;
  saved?: string;
}

/** A report that was made. */
export interface GeneratedReport {
  name: string;
  url: string;
  errors?: SuppressedError[];
}

export interface Session {
  sessionId: string;
  locale: string;
  project: { name?: string };
}

/** An error that ends a request. */
export interface HostError {
  id: string;
  code: number;
  message: string;
  cause?: string[];
  additionalInformation?: Record<string, unknown>;
}
