/**
 * An intake over real folders; what it makes of a complete content is a hash of its files. Uses the part itself: what it
 * takes in is seen before plugins are made of it, which takes far longer.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Test } from "tap";
import type { EventFacts } from "../../host/observability/events/plugin-event.js";
import type { Snapshot } from "../../host/plugins/snapshots/snapshot.js";
import type { SourceState } from "../../host/plugins/sources/plugin-source.js";
import { PluginSources } from "../../host/plugins/sources/sources.js";
import { Rejection } from "../../host/system/errors.js";
import { failOnFault } from "../stage-faults.js";
import { sha256 } from "./plugins-support.js";
import { collectingLog, type LoggedLine, writeFiles } from "./templates-support.js";

export interface TestedIntake {
  intake: PluginSources;
  log: LoggedLine[];
  events: EventFacts[];
  /** Contents that were staged, refused ones too, as `name:content` of their files. */
  staged: string[];
  /** Runs when a content has been read, before it is a snapshot. */
  whileStaging: (folder: string) => Promise<void>;
  /** How often `sources()` was said to have changed. */
  changes: () => number;
  source(name: string): SourceState | undefined;
  /** The version that a place offers. */
  version(name: string): string | undefined;
  stage(name: string): string | undefined;
  reason(name: string): string | undefined;
  /** Stages of a place since it was found, with their reasons. */
  history(name: string): string[];
}

export interface TestedSettings {
  watch?: "events" | "polling";
  settlingTime?: number;
  rescanInterval?: number;
  files?: number;
}

/** So long that it is as good as never. */
export const never = 1_000_000_000;

export function testedIntake(t: Test, folders: string[], settings: TestedSettings = {}): TestedIntake {
  const log: LoggedLine[] = [];
  const events: EventFacts[] = [];
  let changes = 0;
  const { watch = "events", settlingTime = 100, rescanInterval = 200, files = 1000 } = settings;
  const find = (name: string) => tested.intake.sources().find(({ path }) => path.endsWith(`/${name}`));
  const tested: TestedIntake = {
    intake: new PluginSources({
      folders,
      configuration: {
        watch,
        settlingTime,
        rescanInterval,
        development: false,
        archives: { bytes: 1, files },
      },
      stager: {
        completeness,
        unpack,
        stage: async (folder, record) => {
          const content = await contentOf(folder);
          tested.staged.push(content);
          const text = await readFile(join(folder, "package.json"), "utf8").catch(() => {
            throw new Rejection("there is no readable package.json in the folder");
          });
          const version = text.trim();
          if (version === "bad") throw new Rejection("the version is bad");
          record.update({ name: "shop", version });
          record.transition("verified");
          await tested.whileStaging(folder);
          return snapshot(version, sha256(Buffer.from(content)));
        },
      },
      journal: { note: (event) => events.push(event), fault: failOnFault },
      log: collectingLog(log),
      changed: () => {
        changes += 1;
      },
    }),
    log,
    events,
    staged: [],
    whileStaging: () => Promise.resolve(),
    changes: () => changes,
    source: find,
    version: (name) => find(name)?.snapshot?.version,
    stage: (name) => find(name)?.record.current.stage,
    reason: (name) => find(name)?.record.current.reason,
    history: (name) =>
      events
        .filter(({ place }) => place === name)
        .map(({ to, reason }) => (reason === undefined ? `${to}` : `${to}: ${reason}`)),
  };
  t.teardown(() => tested.intake.stop());
  return tested;
}

/** A list of files: one path per line. */
async function completeness(folder: string): Promise<{ listed: boolean; waiting: string | undefined }> {
  const list = await readFile(join(folder, "list"), "utf8").catch(() => undefined);
  if (list === undefined) return { listed: false, waiting: undefined };
  const names = list.split("\n");
  const there = names.filter((name) => existsSync(join(folder, name))).length;
  const waiting = there === names.length ? undefined : `${there} of ${names.length} files are there.`;
  return { listed: true, waiting };
}

/** An archive of the tests: a JSON object of its files. */
async function unpack(archive: string): Promise<string> {
  const folder = join(dirname(dirname(archive)), "unpacked", basename(archive));
  const text = await readFile(archive, "utf8");
  let files: Record<string, string>;
  try {
    files = JSON.parse(text);
  } catch {
    throw new Rejection("the archive is broken");
  }
  await writeFiles(folder, files);
  return folder;
}

async function contentOf(folder: string): Promise<string> {
  const names = await readdir(folder, { withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map(({ name }) => name);
  const contents = await Promise.all(
    files.sort().map(async (name) => `${name}:${await readFile(join(folder, name), "utf8")}`),
  );
  return contents.join(" ");
}

function snapshot(version: string, hash: string): Snapshot {
  return {
    name: "shop",
    version,
    hash,
    sourceHash: hash,
    aliases: [],
    engines: "*",
    defaults: {},
    smoke: [],
    permissions: undefined,
    warmUp: [],
    assets: [],
    templates: undefined,
    signedBy: undefined,
    signingKey: undefined,
    folder: "",
    entry: "",
    assetFolder: "",
    packageFolder: "",
  };
}
