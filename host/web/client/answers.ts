/** Names for parts of the host's answers. */
import type { AnswerOf, EventOf } from "./operations.js";

export type HostStatus = AnswerOf<"GET /api/status">;
export type PluginOverview = AnswerOf<"GET /api/plugins/:plugin">;
export type PluginState = AnswerOf<"GET /api/plugins">["plugins"][number];
export type Stage = PluginState["stage"];
export type PluginEvent = EventOf<"GET /api/events">;
export type RecentRequest = EventOf<"GET /api/requests">;
export type AuditEntry = EventOf<"GET /api/audit">;
export type Role = AnswerOf<"GET /api/access">["roles"][number];
export type TemplateState = AnswerOf<"GET /api/templates">["templates"][number];
export type TemplateProblem = TemplateState["problems"][number];
export type TemplateEvent = EventOf<"GET /api/templates/events">;
export type StoreState = AnswerOf<"GET /api/templates">["stores"][number];
export type Development = AnswerOf<"GET /api/development">;
export type DevelopmentLine = EventOf<"GET /api/development/lines">;
/** A session as lists have it; its id is shortened where the key may not use sessions. */
export type ListedSession = AnswerOf<"GET /api/sessions">["sessions"][number];
