/** Engines for the tests of their contract. Uses the part itself. */
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { Test } from "tap";
import type { Engine } from "../../host/engine/engine.js";
import { createFileEngine } from "../../host/engine/file-engine.js";
import { createPostgresqlEngine } from "../../host/engine/postgresql/postgresql.js";
import type { ArtifactStore } from "../../host/files/files.js";
import type { JobEnd, JobTerms } from "../../host/jobs/jobs.js";
import type { MemberFacts } from "../../host/observability/host-status.js";
import { createKeyFile } from "../../host/security/key-file.js";
import type { SessionFacts, SessionTerms } from "../../host/sessions/sessions.js";
import { type FilesSettings, filesConfiguration } from "./files-support.js";

type Settings = { [Name in keyof FilesSettings]?: number | undefined };

/** Where engines keep their state. */
export interface Place {
  /** For a program that opens an engine here. */
  address: string;
  /** An opened engine; at most one at a time, unless the engine can be shared. */
  engine(): Promise<Engine>;
  /** Lets time pass for what is stored. */
  pass(milliseconds: number): Promise<void>;
}

/** What the contract is tested with. */
export interface EngineKind {
  /** Whether several engines may use one place. */
  isShared: boolean;
  /** A new place; it is gone, and its engines are closed, at the end of the test. */
  place(test: Test, settings?: Settings): Promise<Place>;
}

const ignore = (): void => undefined;
export const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const memberFacts: Omit<MemberFacts, "name"> = {
  version: "1.0.0",
  started: "2026-11-01T00:00:00.000Z",
  ready: true,
  releases: {},
  running: 0,
  waiting: 0,
};

/** The engine with an address, a folder or the URL of a database, opened. */
export async function engineAt(
  address: string,
  settings: Settings,
  log: Log,
  now?: () => number,
): Promise<Engine> {
  const files = filesConfiguration({ minimumFree: 0, ...settings });
  const audit = { required: true, bytes: 1_000_000, files: 2 };
  const keyFile = createKeyFile("/nowhere/keys.json", log);
  const database = { url: address, pool: 8, timeout: 20_000, lease: 20_000, start: 20_000 };
  const engine = address.startsWith("postgres")
    ? createPostgresqlEngine({ configuration: database, files, audit, keyFile, areKeysShared: true, log })
    : createFileEngine({
        configuration: { var: address, access: { plugins: "open" }, audit, files },
        log,
        ...(now === undefined ? {} : { now }),
      });
  await engine.open({ name: () => "test:1", facts: async () => memberFacts });
  return engine;
}

/** Engines that keep everything in a folder. */
export const fileEngines: EngineKind = {
  isShared: false,
  async place(test, settings = {}) {
    const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
    let opened: Engine | undefined;
    let ahead = 0;
    const close = async (): Promise<void> => {
      await opened?.close();
      opened = undefined;
    };
    test.teardown(async () => {
      await close();
      await rm(folder, { recursive: true });
    });
    return {
      address: folder,
      engine: async () => {
        await close();
        opened = await engineAt(folder, settings, silent, () => Date.now() + ahead);
        return opened;
      },
      pass: async (milliseconds) => {
        ahead += milliseconds;
      },
    };
  },
};

export const summary = {
  id: "",
  name: "",
  number: "",
  currency: "",
  languages: [],
  items: 0,
  articles: 0,
  views: [],
  schemes: [],
};

/** Limits that no test reaches by accident. */
export const terms: SessionTerms = {
  lifetime: 60_000,
  maximumSessions: 1000,
  maximumBytes: 1_000_000_000,
};

export function facts(changes: Partial<SessionFacts> = {}): SessionFacts {
  return { id: randomUUID(), locale: "de_DE", revision: 1, summary, ...changes };
}

type NewFile = Parameters<ArtifactStore["create"]>[0];

/** A file to be stored. */
export function file(content: NewFile["content"], name = "a.bin"): NewFile {
  return { name, mediaType: "application/octet-stream", content };
}

export const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
/** A content of a revision without assets. */
export const project = (text: string) => ({ project: Buffer.from(text), assets: [] });
/** An asset. */
export const picture = (text: string) => {
  const content = Buffer.from(text);
  return { sha256: sha256(content), mediaType: "image/png", content };
};
/** Limits that no test reaches by accident. */
export const jobTerms: JobTerms = {
  lifetime: 3_600_000,
  maximumJobs: 1000,
  maximumBytes: 1e9,
  queue: 1000,
  clientShare: 1,
};

/** A job to be stored. */
export function newJob(body = "{}", id: string = randomUUID()) {
  const request = {
    requestId: "r1",
    method: "POST",
    path: "/EAIWS/plugins/Sample/make",
    query: "a=%C3%A4",
    client: 'key "a"',
    baseUrl: "http://127.0.0.1:1",
    plugin: "Sample@1.0.0",
    operation: "make",
    release: "1.0",
    session: { id: randomUUID(), revision: 3 },
  };
  return { id, request, body };
}

/** The end of a job that was answered with a text. */
export function answered(body: string): JobEnd {
  const content = { kind: "text" as const, mediaType: "text/plain; charset=utf-8" as const, body };
  return { state: "done", answer: { status: 200, headers: { "Slipway-Plugin": "Sample@1.0.0" }, content } };
}

/** How a store refuses what has no room. */
export const refused = { code: 503, id: "request-overloaded" };

/** Two engines at one place, or the same one twice where a place has only one. */
export async function pair(kind: EngineKind, place: Place): Promise<[Engine, Engine]> {
  const one = await place.engine();
  return [one, kind.isShared ? await place.engine() : one];
}

/** A project as text. */
export async function textOf(
  engine: Engine,
  { id }: { id: string },
  revision: number,
): Promise<string | undefined> {
  const content = await engine.sessions.project(id, revision);
  return content && Buffer.from(content).toString();
}
