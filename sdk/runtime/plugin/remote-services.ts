import { RequestError, type SuppressedError } from "../../errors.js";
import type { Log } from "../../plugin/log.js";
import type { OfferedService } from "../../plugin/service.js";
import type { Static, TSchema } from "../../schema.js";
import { type Check, describe, Validator } from "../../validation.js";
import type { RequirementDescription } from "../messages/plugin-description.js";
import { fromHost, type HostLink } from "./host-link.js";

/** Services of other plugins; the schemas that this plugin expects of them are compiled once. */
export class RemoteServices {
  private readonly validator = new Validator();
  private readonly checks = new WeakMap<TSchema, Check<unknown>>();
  private readonly requirements = new Map<string, RequirementDescription>();
  private isSetUp = false;

  constructor(
    private readonly link: HostLink,
    private readonly log: Log,
  ) {}

  /** One service of a plugin, named as for `host.service`. */
  service(plugin: string, service: string): OfferedService {
    if (!this.isSetUp) this.requirements.set(JSON.stringify([plugin, service]), { plugin, service });
    return {
      call: async (method, input, output) => {
        const wanted = { plugin, service, method };
        const received = await this.link.call("service.call", wanted, [JSON.stringify(input) ?? "null"]);
        const value = this.expected(output, fromHost<unknown>(received), wanted);
        const errors = fromHost<SuppressedError[]>({ values: {}, parts: received.parts.slice(1) });
        return { value, errors };
      },
    };
  }

  /** What was asked for so far; what is asked for later depends on requests and is no requirement. */
  endSetup(): RequirementDescription[] {
    this.isSetUp = true;
    return [...this.requirements.values()];
  }

  private expected<S extends TSchema>(
    schema: S,
    value: unknown,
    wanted: { plugin: string; service: string; method: string },
  ): Static<S> {
    const result = this.checkOf(schema)(value);
    if (result.ok) return result.value;
    const what = `${wanted.service}.${wanted.method} of ${wanted.plugin}`;
    this.log.error(`${what} gave something that was not expected`, {
      violations: result.violations.map(describe),
    });
    throw new RequestError({
      id: "plugin-error",
      code: 500,
      message: `${what} gave something that its caller did not expect.`,
    });
  }

  private checkOf<S extends TSchema>(schema: S): Check<Static<S>> {
    const known = this.checks.get(schema);
    // Compiled from this very schema, by the line below.
    if (known !== undefined) return known as Check<Static<S>>;
    const check = this.validator.compile(schema, "value");
    this.checks.set(schema, check);
    return check;
  }
}
