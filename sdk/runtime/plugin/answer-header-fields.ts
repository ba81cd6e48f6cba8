import { describe, Validator } from "../../validation.js";
import { AnswerHeaders } from "../messages/request-messages.js";

const check = new Validator().compile(AnswerHeaders, "headers");

/** The headers that a handler sets. */
export class AnswerHeaderFields {
  private readonly values = new Map<string, string>();

  /** Throws for what a plugin cannot set, so that the stack leads to where it tried. */
  set(name: string, value: string): void {
    const result = check({ ...this.all(), [name]: value });
    if (!result.ok)
      throw new TypeError(`A plugin cannot set this header: ${result.violations.map(describe).join("; ")}`);
    this.values.set(name, value);
  }

  all(): AnswerHeaders {
    return Object.fromEntries(this.values);
  }
}
