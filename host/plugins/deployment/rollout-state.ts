/** What a host has to remember of its plugins over a restart: the content of its one state file. */
import { type Static, Type } from "@slipway/sdk";
import type { SnapshotReference } from "../snapshots/snapshot.js";

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

/** How far the versions of one plugin have come. */
export const RolloutState = Type.Object(
  {
    /** Present while an admin does not want the plugin. */
    disabled: Type.Optional(Type.Object({ at: Time, actor: Type.String() }, closed)),
    /** By release. */
    pins: Type.Record(Type.String(), Pin),
    quarantined: Type.Array(QuarantinedVersion),
    /** The one that served last comes first. */
    kept: Type.Array(KeptVersion),
    /** By release: hashes of the contents that an admin rolled back from, the latest first. */
    left: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /**
     * By release: hashes of the contents that sources had before something sound came to them, and that did not answer there
     * since.
     */
    replaced: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /** Hashes of contents that an admin let out of quarantine and that have not proven themselves since, the latest first. */
    released: Type.Optional(Type.Array(Type.String())),
    /** Contents that did not come up when they were tried last, with why. */
    failed: Type.Optional(Type.Array(Type.Object({ ...content, reason: Type.String() }, closed))),
  },
  closed,
);
export type RolloutState = Static<typeof RolloutState>;

const RememberedSource = Type.Object(
  {
    name: Type.String(),
    ...content,
    /** The content of it that began to serve and has not proven itself yet. */
    trial: Type.Optional(Type.Object(content, closed)),
  },
  closed,
);
export type RememberedSource = Static<typeof RememberedSource>;

/** The state file. */
export const PluginsMemory = Type.Object(
  {
    format: Type.Literal(1),
    /** By public name. */
    plugins: Type.Record(Type.String(), RolloutState),
    /** By path of a source: the last content of it that served well. */
    places: Type.Record(Type.String(), RememberedSource),
  },
  closed,
);
export type PluginsMemory = Static<typeof PluginsMemory>;

/** Of a plugin of which nothing is known. */
const unknownRollout: RolloutState = { pins: {}, quarantined: [], kept: [] };

/** What is remembered of a plugin. Names may be those of what every object has, such as "constructor". */
export function rolloutOf({ plugins }: PluginsMemory, name: string): RolloutState {
  return (Object.hasOwn(plugins, name) ? plugins[name] : undefined) ?? unknownRollout;
}

/** What a release was rolled back to; undefined when it was not. */
export function pinnedFor({ pins }: RolloutState, release: string): Pin | undefined {
  return Object.hasOwn(pins, release) ? pins[release] : undefined;
}

/** Hashes of the contents that an admin rolled a release back from. */
export function leftIn(rollout: RolloutState, release: string): readonly string[] {
  const pin = pinnedFor(rollout, release);
  const isRemembered = Object.hasOwn(rollout.left ?? {}, release);
  // Earlier hosts remembered them with the rollback alone.
  if (!isRemembered && pin !== undefined && pin.actor !== "host") return pin.over;
  return ofRelease(rollout.left, release);
}

/** Hashes of the earlier contents of sources that do not count for a release while anything else answers it. */
export function replacedIn({ replaced }: RolloutState, release: string): readonly string[] {
  return ofRelease(replaced, release);
}

export function isQuarantined({ quarantined }: RolloutState, hash: string): boolean {
  return quarantined.some((each) => each.hash === hash);
}

/** Why a content did not come up; undefined when it did, or was not tried. */
export function failureOf({ failed = [] }: RolloutState, hash: string): string | undefined {
  return failed.find((each) => each.hash === hash)?.reason;
}

/** Whether an admin let a content out of quarantine that has still to prove itself. */
export function isReleased({ released = [] }: RolloutState, hash: string): boolean {
  return released.includes(hash);
}

/** Whether a content served well, and not badly since. */
export function isProven(rollout: RolloutState, hash: string): boolean {
  return rollout.kept.some((each) => each.hash === hash) && !isReleased(rollout, hash);
}

/** What a source had before that may serve again: what is on trial, then what served well. Only of the plugin `name`. */
export function earlierOf(source: RememberedSource | undefined, name: string): SnapshotReference[] {
  if (source === undefined || source.name !== name) return [];
  const { version, hash, trial } = source;
  return trial === undefined
    ? [{ name, version, hash }]
    : [
        { name, ...trial },
        { name, version, hash },
      ];
}

function ofRelease(
  hashes: Readonly<Record<string, readonly string[]>> = {},
  release: string,
): readonly string[] {
  return (Object.hasOwn(hashes, release) ? hashes[release] : undefined) ?? [];
}

/** All contents that may be wanted again. */
export function rememberedReferences({ places, plugins }: PluginsMemory): SnapshotReference[] {
  const ofPlugins = Object.entries(plugins).flatMap(([name, { kept, pins }]) =>
    [...kept, ...Object.values(pins)].map(({ version, hash }) => ({ name, version, hash })),
  );
  return [...Object.values(places).flatMap((source) => earlierOf(source, source.name)), ...ofPlugins];
}
