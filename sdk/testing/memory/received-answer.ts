import { AbortingError, SuppressedError } from "../../errors.js";
import { type Static, type TSchema, Type } from "../../schema.js";
import { describe, Validator } from "../../validation.js";
import type { TestAnswer } from "../test-answer.js";

const Errors = Type.Object({ errors: Type.Array(SuppressedError) });

/** An answer as it came, read where it is asked for. */
export class ReceivedAnswer implements TestAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly text: string,
  ) {}

  get value(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new Error(`The answer (${this.shown}) is no JSON.`, { cause: error });
    }
  }

  get json(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (isObject(value)) return value;
    throw new Error(`The answer (${this.shown}) is no JSON object.`);
  }

  get errors(): readonly SuppressedError[] {
    return this.fitting(Errors)?.errors ?? [];
  }

  get error(): AbortingError | undefined {
    return this.status < 400 ? undefined : this.fitting(AbortingError);
  }

  as<S extends TSchema>(schema: S): Static<S> {
    const result = new Validator().compile(schema, "answer")(this.value);
    if (result.ok) return result.value;
    throw new Error(`The answer (${this.shown}) does not fit: ${result.violations.map(describe).join("; ")}`);
  }

  private get shown(): string {
    return `${this.status} ${this.text.slice(0, 500)}`;
  }

  private fitting<S extends TSchema>(schema: S): Static<S> | undefined {
    if (!/^application\/json\b/.test(this.headers["content-type"] ?? "") || this.text === "")
      return undefined;
    const result = new Validator().compile(schema, "answer")(this.value);
    return result.ok ? result.value : undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
