/** What a host has to remember of its plugins over a restart: the content of its one state file. */
import { type Static, Type } from "@slipway/sdk";

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: "date-time", description: "UTC." });
const content = { version: Type.String(), hash: Type.String() };

/** A content that served well. */
export const KeptVersion = Type.Object({ ...content, at: Time }, { ...closed, title: "KeptVersion" });
export type KeptVersion = Static<typeof KeptVersion>;

/** A content that served badly and is not chosen any more. */
export const QuarantinedVersion = Type.Object(
  { ...content, at: Time, reason: Type.String() },
  { ...closed, title: "QuarantinedVersion" },
);
export type QuarantinedVersion = Static<typeof QuarantinedVersion>;

/** A release was rolled back: it takes this content, or one that came later than the rollback. */
export const Pin = Type.Object(
  {
    ...content,
    /** Hashes of the contents that it is preferred to. */
    over: Type.Array(Type.String()),
    at: Time,
    /** Who wanted it. */
    actor: Type.String(),
  },
  { ...closed, title: "Pin" },
);
export type Pin = Static<typeof Pin>;

/** How one plugin stands. */
export const Standing = Type.Object(
  {
    /** Present while an admin does not want the plugin. */
    disabled: Type.Optional(Type.Object({ at: Time, actor: Type.String() }, closed)),
    /** By release. */
    pins: Type.Record(Type.String(), Pin),
    quarantined: Type.Array(QuarantinedVersion),
    /** The one that served last comes first. */
    kept: Type.Array(KeptVersion),
  },
  closed,
);
export type Standing = Static<typeof Standing>;

/** The state file. */
export const PluginsMemory = Type.Object(
  {
    format: Type.Literal(1),
    /** By public name. */
    plugins: Type.Record(Type.String(), Standing),
    /** By path of a place: the last content of it that served well. */
    places: Type.Record(Type.String(), Type.Object({ name: Type.String(), ...content }, closed)),
  },
  closed,
);
export type PluginsMemory = Static<typeof PluginsMemory>;

/** How a plugin stands of which nothing is known. */
const unknownStanding: Standing = { pins: {}, quarantined: [], kept: [] };

/** How a plugin stands. Names may be those of what every object has, such as "constructor". */
export function standingOf({ plugins }: PluginsMemory, name: string): Standing {
  return (Object.hasOwn(plugins, name) ? plugins[name] : undefined) ?? unknownStanding;
}

/** What a release was rolled back to; undefined when it was not. */
export function pinnedFor({ pins }: Standing, release: string): Pin | undefined {
  return Object.hasOwn(pins, release) ? pins[release] : undefined;
}
