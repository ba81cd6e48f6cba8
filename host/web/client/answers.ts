/** What the host answers with: its own types, as they come over the wire. */
import type { Static } from "@slipway/sdk";
import type { AccessAnswer } from "../../../api/access-operations.js";
import type { ListedSession } from "../../../sessions/session-answer.js";
import type { HostError as KnownError } from "../../preview/host-answers.js";

export type { StatusAnswer as HostStatus } from "../../../api/status-answer.js";
export type { PluginEvent } from "../../../observability/events/plugin-event.js";
export type { RecentRequest } from "../../../observability/requests/finished-requests.js";
export type { PluginOverview, Rollback } from "../../../plugins/deployment/plugin-administration.js";
export type { PluginState, Stage } from "../../../plugins/plugin-state.js";
export type { AuditEntry } from "../../../security/audit/audit-entry.js";
export type { Role } from "../../../security/caller.js";
export type { StoreState } from "../../../templates/stores/store-states.js";
export type { TemplateProblem } from "../../../templates/template-problem.js";
export type { TemplateState } from "../../../templates/template-service.js";

/** What the key of the page may do. */
export type Access = Static<typeof AccessAnswer>;

/** An error that ends a request. */
export type HostError = KnownError;

/** A session; its id is shortened where the key may not use sessions. */
export type SessionEntry = ListedSession;
