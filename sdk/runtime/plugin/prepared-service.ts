import type { ServiceMethod } from "../../plugin/service.js";
import { type Check, Validator } from "../../validation.js";
import type { ServiceMethodDescription } from "../messages/plugin-description.js";
import { compiled, milliseconds } from "./prepared-schemas.js";

/** A service method with its schemas compiled. */
export interface PreparedMethod {
  service: string;
  name: string;
  method: ServiceMethod;
  checkInput: Check<unknown> | undefined;
  checkOutput: Check<unknown> | undefined;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** The methods of a plugin's services by "service.method". Throws with the first thing that is wrong, broken schemas included. */
export function preparedServices(services: unknown): Map<string, PreparedMethod> {
  const prepared = new Map<string, PreparedMethod>();
  const validator = new Validator();
  for (const [service, methods] of members("services", services ?? {})) {
    for (const [name, method] of members(`services.${service}`, methods)) {
      const key = `${service}.${name}`;
      if (!isServiceMethod(method)) throw new Error(`services.${key} was not made with \`serviceMethod\``);
      const checkInput = compiled(validator, `services.${key}`, "input", method.input);
      const checkOutput = compiled(validator, `services.${key}`, "output", method.output);
      prepared.set(key, { service, name, method, checkInput, checkOutput });
    }
  }
  return prepared;
}

/** What the host needs to know of a service method. */
export function describeServiceMethod({ service, name, method }: PreparedMethod): ServiceMethodDescription {
  const { summary, input, output, session } = method;
  const timeout = milliseconds(`services.${service}.${name}`, method.timeout);
  return JSON.parse(JSON.stringify({ service, method: name, summary, input, output, session, timeout }));
}

function members(what: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${what}: expected an object`);
  const entries: [string, unknown][] = Object.entries(value);
  const wrong = entries.find(([name]) => !namePattern.test(name));
  if (wrong !== undefined)
    throw new Error(
      `${what}: a name may hold letters, digits, "_" and "-", received ${JSON.stringify(wrong[0])}`,
    );
  return entries;
}

function isServiceMethod(value: unknown): value is ServiceMethod {
  if (typeof value !== "object" || value === null) return false;
  return (
    "kind" in value &&
    value.kind === "slipway-service-method" &&
    "handler" in value &&
    typeof value.handler === "function"
  );
}
