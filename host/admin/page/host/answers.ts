/** What the host answers with: its own types, as they come over the wire. */
import type { Role } from "../../../access/caller.js";
import type { HostError as Known } from "../../../preview/page/host-answers.js";

export type { Role } from "../../../access/caller.js";
export type { PluginEvent } from "../../../plugins/events/plugin-event.js";
export type { PluginOverview, Rollback } from "../../../plugins/plugin-administration.js";
export type { PluginState, Stage } from "../../../plugins/plugin-state.js";
export type { RecentRequest } from "../../../requests/recent-requests.js";
export type { StoreState } from "../../../templates/store/store-states.js";
export type { TemplateProblem } from "../../../templates/template-problem.js";
export type { TemplateState } from "../../../templates/template-service.js";

/** An error that ends a request. */
export type HostError = Known;

/** What the key of the page may do. */
export interface Access {
  /** Whether this host asks for a key. */
  required: boolean;
  /** Name of the key. */
  key?: string;
  roles: Role[];
}

/** What one part of the host says of itself. */
export interface PartHealth {
  ready: boolean;
  detail: string;
  problems?: string[];
}

/** How the host is, in numbers; memory in bytes. */
export interface HostStatus {
  version: string;
  sdkVersion: string;
  started: string;
  ready: boolean;
  reasons: string[];
  parts: Record<string, PartHealth>;
  releases: Record<string, Record<string, string>>;
  defaultRelease: string;
  process: {
    id: number;
    memory: number;
    heap: number;
    eventLoopDelay: { mean: number; p99: number; max: number };
  };
  requests: {
    running: number;
    plugins: { plugin: string; working: number; waiting: number; concurrency: number; queue: number }[];
  };
  browser: {
    state: string;
    detail: string;
    version?: string;
    pages: number;
    busy: number;
    waiting: number;
    restarts: number;
  };
  sessions: { open: number; bytes: number };
  files: { count: number; bytes: number; maximumBytes: number };
  instances: { plugin: string; version: string; processId: number; memory: number }[];
}

export interface SessionEntry {
  /** Its beginning where the key may not use sessions. */
  sessionId: string;
  locale: string;
  expiresAt: string;
  opened?: string;
  lastUsed?: string;
  bytes?: number;
  revision: number;
  project: { name: string; number: string; currency: string; items: number; articles: number };
}

export interface AuditEntry {
  id: number;
  time: string;
  actor: string;
  key?: string;
  address?: string;
  action: string;
  target?: string;
  details?: unknown;
  outcome: "done" | "refused" | "failed";
  message?: string;
  requestId?: string;
}
