/** Messages between host and instance that `@slipway/sdk/runtime` does not define; both sides import this file. */

import { pathToFileURL } from "node:url";
import { type Static, type TSchema, Type } from "@slipway/sdk";
import type { Message, StartStep } from "@slipway/sdk/runtime";
import { hostCheck } from "../../system/host-check.js";
import type { Snapshot } from "../snapshots/snapshots.js";

/** Incremented with every incompatible change. */
export const protocolVersion = 5;

/** File descriptor of the channel in the instance; 0 to 2 are its standard streams. */
export const channelDescriptor = 3;

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** Arguments of the instance's program, as one JSON text: the parameters that the channel itself needs. */
export const InstanceArguments = Type.Object({ maximumFrame: Type.Integer({ minimum: 1 }) }, closed);
export type InstanceArguments = Static<typeof InstanceArguments>;

/** Note of the instance: it is ready and uses this protocol. */
const Hello = Type.Object({ protocol: Count }, closed);

/**
 * Call of the host: load the plugin and set it up; part 0 is its configuration, part 1 its `StartAssets`. Answered by a
 * `PluginDescription` in part 0.
 */
export const Start = Type.Object(
  {
    /** URL of the bundle. */
    entry: Type.String(),
    name: Type.String(),
    version: Type.String(),
    /** Limit in bytes of the project JSON that the instance caches. */
    projectCache: Count,
    /** The granted folders: absolute paths by name. */
    folders: Type.Record(Type.String(), Type.String()),
  },
  closed,
);
export type Start = Static<typeof Start>;

/** Where the assets of a plugin are: the folder of the copies, and their paths below it, sorted. */
export const StartAssets = Type.Object({ folder: Type.String(), names: Type.Array(Type.String()) }, closed);
type StartAssets = Static<typeof StartAssets>;

/** Note of the instance: an uncaught exception, or the plugin ended its process. */
export const Fault = Type.Object(
  { kind: Type.Enum(["exception", "exit"]), detail: Type.String(), request: Type.Optional(Count) },
  closed,
);
export type Fault = Static<typeof Fault>;

/** Note of the instance: a step of its start begins. */
const Step = Type.Object({ step: Type.Enum(["load", "setup"]) }, closed);

/** Note of the instance: the schema of its plugin's configuration, as JSON. */
const ConfigurationSchema = Type.Object({ schema: Type.Record(Type.String(), Type.Unknown()) }, closed);

/** For the build, which compiles their checks. */
export const instanceSchemas = {
  "instance-arguments": InstanceArguments,
  "instance-configuration": ConfigurationSchema,
  "instance-fault": Fault,
  "instance-hello": Hello,
  "instance-start": Start,
  "instance-step": Step,
  "start-assets": StartAssets,
};

// The host validates the answers of an instance, which plugin code may have written.

const checkHello = hostCheck<typeof Hello>("hello", "instance-hello");
const checkFault = hostCheck<typeof Fault>("fault", "instance-fault");
const checkStep = hostCheck<typeof Step>("step", "instance-step");
const checkSchema = hostCheck<typeof ConfigurationSchema>("configuration", "instance-configuration");

export function speaksOurProtocol(values: unknown): boolean {
  const hello = checkHello(values);
  return hello.ok && hello.value.protocol === protocolVersion;
}

export function startMessage(
  snapshot: Snapshot,
  {
    settings,
    projectCache,
    folders,
  }: { settings: Record<string, unknown>; projectCache: number; folders: ReadonlyMap<string, string> },
): Message {
  const { name, version, entry, assetFolder } = snapshot;
  const values: Start = {
    entry: pathToFileURL(entry).href,
    name,
    version,
    projectCache,
    folders: Object.fromEntries(folders),
  };
  const assets: StartAssets = { folder: assetFolder, names: snapshot.assets.map(({ path }) => path) };
  return { values, parts: [JSON.stringify(settings), JSON.stringify(assets)] };
}

export function readFault(values: unknown): Fault | undefined {
  const result = checkFault(values);
  return result.ok ? result.value : undefined;
}

/** The step that a starting instance has begun; undefined for one of a later protocol. */
export function readStep(values: unknown): StartStep | undefined {
  const result = checkStep(values);
  return result.ok ? result.value.step : undefined;
}

/** The schema of a plugin's configuration; undefined for a note that is not valid. */
export function readSchema(values: unknown): TSchema | undefined {
  const result = checkSchema(values);
  return result.ok ? result.value.schema : undefined;
}

/** The control characters for record and unit separators; the number of the request is between them. */
const begin = "\u001e";
const end = "\u001f";
const marked = new RegExp(`^${begin}(\\d{1,15})${end}`);

/** Marks every line of a text with its request. */
export function markPrinted(text: string, request: number): string {
  return text.replace(/^.*\S/gm, `${begin}${request}${end}$&`);
}

/** The original line, and the number of its request in the instance; undefined for output outside of requests. */
export function requestOfPrinted(line: string): { request: number | undefined; text: string } {
  const request = marked.exec(line)?.[1];
  if (request === undefined) return { request: undefined, text: line };
  return { request: Number(request), text: line.replace(marked, "") };
}
