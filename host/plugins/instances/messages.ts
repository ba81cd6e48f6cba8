/** What host and instance say to each other beside what `@slipway/sdk/runtime` has for both: the one place that both sides read. */
import { type Static, Type } from "@slipway/sdk";

/** Grows with every change that an older peer would misunderstand. */
export const protocolVersion = 4;

/** File descriptor of the channel in the instance; 0 to 2 are its standard streams. */
export const channelDescriptor = 3;

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** Arguments of the instance's program, as one JSON text: what it must know before it can speak. */
export const InstanceArguments = Type.Object(
  { hostProcess: Type.Integer({ minimum: 1 }), maximumFrame: Type.Integer({ minimum: 1 }) },
  closed,
);
export type InstanceArguments = Static<typeof InstanceArguments>;

/** Note of the instance: it is there, and speaks this protocol. */
export const Hello = Type.Object({ protocol: Count }, closed);

/** Call of the host: load the plugin and set it up; part 0 is its configuration. Answered by a `PluginDescription` in part 0. */
export const Start = Type.Object(
  {
    /** URL of the bundle. */
    entry: Type.String(),
    name: Type.String(),
    version: Type.String(),
    /** Bytes of project JSON that the instance keeps. */
    projectCache: Count,
  },
  closed,
);
export type Start = Static<typeof Start>;

/** Note of the instance: something threw where nobody could catch it, or the plugin ended its own process. */
export const Fault = Type.Object(
  { kind: Type.Enum(["exception", "exit"]), detail: Type.String(), request: Type.Optional(Count) },
  closed,
);
export type Fault = Static<typeof Fault>;
