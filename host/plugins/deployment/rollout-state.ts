/** Schema of the state file: the plugin state that survives a restart. */
import { type Static, Type } from "@slipway/sdk";
import { KeptVersion, Pin, QuarantinedVersion } from "../administration/administration.js";
import type { SnapshotReference } from "../snapshots/snapshots.js";
import { isAmong, isNamed, type SnapshotId } from "./candidates.js";

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: "date-time", description: "UTC." });
const content = {
  version: Type.String(),
  hash: Type.String({ description: "SHA-256 of the plugin's own files, hexadecimal." }),
};

/** Rollout state of one plugin. */
export const RolloutState = Type.Object(
  {
    /** Present while an admin has disabled the plugin. */
    disabled: Type.Optional(Type.Object({ at: Time, actor: Type.String() }, closed)),
    /** By release. */
    pins: Type.Record(Type.String(), Pin),
    quarantined: Type.Array(QuarantinedVersion),
    /** The last one to serve comes first. */
    kept: Type.Array(KeptVersion),
    /** By release: source hashes of the contents that an admin rolled back from, latest first. */
    left: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /**
     * By release: source hashes of earlier contents of sources that a sound content has replaced and that have not served the
     * release since.
     */
    replaced: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /** Source hashes of contents released from quarantine that have not proven themselves since, latest first. */
    released: Type.Optional(Type.Array(Type.String())),
    /** Contents whose last start failed, with the reason; with the hash of all that was started. */
    failed: Type.Optional(
      Type.Array(Type.Object({ version: Type.String(), hash: Type.String(), reason: Type.String() }, closed)),
    ),
  },
  closed,
);
export type RolloutState = Static<typeof RolloutState>;

const RememberedSource = Type.Object(
  {
    name: Type.String(),
    ...content,
    /** The content of the source that is on trial. */
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
    /** By path of a source: its last proven content. */
    places: Type.Record(Type.String(), RememberedSource),
  },
  closed,
);
export type PluginsMemory = Static<typeof PluginsMemory>;

/** The state of an unknown plugin. */
const unknownRollout: RolloutState = { pins: {}, quarantined: [], kept: [] };

/** The remembered state of a plugin. Own members only: a name may be "constructor". */
export function rolloutOf({ plugins }: PluginsMemory, name: string): RolloutState {
  return (Object.hasOwn(plugins, name) ? plugins[name] : undefined) ?? unknownRollout;
}

/** The pin of a release, if it was rolled back. */
export function pinnedFor({ pins }: RolloutState, release: string): Pin | undefined {
  return Object.hasOwn(pins, release) ? pins[release] : undefined;
}

/** Ids of the snapshots from which an admin rolled a release back. */
export function leftIn(rollout: RolloutState, release: string): readonly string[] {
  const pin = pinnedFor(rollout, release);
  const isRemembered = Object.hasOwn(rollout.left ?? {}, release);
  // Earlier hosts stored these hashes only in the pin.
  if (!isRemembered && pin !== undefined && pin.actor !== "host") return pin.over;
  return ofRelease(rollout.left, release);
}

/** Ids of earlier contents of sources that a release takes only when nothing else serves it. */
export function replacedIn({ replaced }: RolloutState, release: string): readonly string[] {
  return ofRelease(replaced, release);
}

/** Undefined for a snapshot that is not in quarantine. */
export function quarantineOf(
  { quarantined }: RolloutState,
  content: SnapshotId,
): RolloutState["quarantined"][number] | undefined {
  return quarantined.find(({ hash }) => isNamed(hash, content));
}

export function isQuarantined(rollout: RolloutState, content: SnapshotId): boolean {
  return quarantineOf(rollout, content) !== undefined;
}

/** Why the start of a snapshot failed; undefined when it succeeded or was not tried. */
export function failureOf({ failed = [] }: RolloutState, hash: string): string | undefined {
  return failed.find((each) => each.hash === hash)?.reason;
}

/** Whether a snapshot was released from quarantine and has not proven itself yet. */
export function isReleased({ released = [] }: RolloutState, content: SnapshotId): boolean {
  return isAmong(released, content);
}

/** Whether a snapshot has proven itself and has not failed since. */
export function isProven(rollout: RolloutState, content: SnapshotId): boolean {
  return rollout.kept.some(({ hash }) => isNamed(hash, content)) && !isReleased(rollout, content);
}

/**
 * Earlier contents of a source that may serve again: the one on trial, then the proven one. Only for the plugin `name`.
 */
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

/** All snapshots that may be needed again. */
export function rememberedReferences({ places, plugins }: PluginsMemory): SnapshotReference[] {
  const ofPlugins = Object.entries(plugins).flatMap(([name, { kept, pins }]) =>
    [...kept, ...Object.values(pins)].map(({ version, hash }) => ({ name, version, hash })),
  );
  return [...Object.values(places).flatMap((source) => earlierOf(source, source.name)), ...ofPlugins];
}

/** A version as every host knows it: bundles differ by host, the plugin's own files do not. */
export const AgreedVersion = Type.Object(
  { version: Type.String(), source: Type.String({ description: "SHA-256 of the plugin's own files." }) },
  closed,
);
export type AgreedVersion = Static<typeof AgreedVersion>;

/** The agreement on one plugin. */
export const Agreement = Type.Object(
  {
    /** The versions in the folders of all hosts. */
    contents: Type.Array(AgreedVersion),
    /** By release. */
    assignment: Type.Record(Type.String(), AgreedVersion),
    /** Pins, quarantine and kept versions; not what failed on one host. */
    standing: RolloutState,
  },
  closed,
);
export type Agreement = Static<typeof Agreement>;

/** Before the first agreement. */
export const noAgreement: Agreement = {
  contents: [],
  assignment: {},
  standing: { pins: {}, quarantined: [], kept: [] },
};
