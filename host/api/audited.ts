import { RequestError } from "@slipway/sdk";
import type { RequestContext } from "../http/request-state.js";
import { shownId } from "../observability/requests/request-names.js";
import type { AuditEnd, AuditFacts } from "../security/audit/audit-entry.js";
import type { AuditTrail } from "../security/audit/audit-trail.js";
import { type Caller, nameOf } from "../security/caller.js";
import { RateLimit } from "../security/rate-limit.js";
import { isJsonObject } from "../system/json.js";
import { changesPlugins, type OperationFacts } from "./operation.js";

/** Seconds; repeated listings of sessions within this time are recorded once. */
const listingWhile = 600;
const longestText = 200;

/** Records operations in the audit trail. */
export class Audited {
  private readonly listings = new RateLimit(
    () => 1,
    () => listingWhile,
  );

  constructor(private readonly audit: AuditTrail) {}

  /**
   * Serves an operation. A change of plugins is recorded before it begins and before its response; closed and listed
   * sessions of callers with a key are recorded afterwards, so that sessions can be closed on a full disk.
   */
  readonly serve = async (
    ctx: RequestContext,
    operation: OperationFacts,
    caller: Caller,
    answer: () => Promise<void>,
  ): Promise<void> => {
    const facts = factsOf(ctx, operation, caller);
    if (changesPlugins(operation)) {
      const begun = await this.audit.begin(facts);
      await ended(ctx, answer, (end) => begun.end(end));
    } else if (await this.isNoted(operation, caller))
      await ended(ctx, answer, async (end) => {
        // Requests for unknown sessions must not displace real entries.
        if (end.outcome !== "refused") await this.audit.note({ ...facts, ...end });
      });
    else await answer();
  };

  private async isNoted({ id }: OperationFacts, { key, roles }: Caller): Promise<boolean> {
    if (key === undefined) return false;
    if (id === "closeSession") return true;
    // Without the role, the listed ids are shortened and useless.
    return (
      id === "listSessions" && roles.includes("sessions") && (await this.listings.take(key)) === undefined
    );
  }
}

async function ended(
  ctx: RequestContext,
  answer: () => Promise<void>,
  end: (end: AuditEnd) => Promise<void>,
): Promise<void> {
  try {
    await answer();
  } catch (error) {
    const isRefused = error instanceof RequestError && error.code < 500;
    const message = error instanceof RequestError ? error.message : "The host failed; its log says how.";
    await end({ outcome: isRefused ? "refused" : "failed", message, details: detailsOf(ctx) });
    throw error;
  }
  await end({ outcome: "done", details: detailsOf(ctx) });
}

function factsOf(ctx: RequestContext, operation: OperationFacts, caller: Caller): AuditFacts {
  const { key, address } = caller;
  const target = targetOf(ctx);
  return {
    actor: nameOf(caller),
    ...(key !== undefined && { key }),
    address,
    action: actionOf(operation),
    ...(target !== undefined && { target }),
    requestId: ctx.state.requestId,
  };
}

/** Such as "plugin.rollback" for `rollBackPlugin`, and "session.list" for `listSessions`. */
function actionOf({ id, tag }: Pick<OperationFacts, "id" | "tag">): string {
  const noun = tag.replace(/s$/, "");
  return `${noun}.${id.replace(new RegExp(`(?:For)?${noun}s?$`, "i"), "").toLowerCase()}`;
}

function targetOf(ctx: RequestContext): string | undefined {
  const params: unknown = Reflect.get(ctx, "params");
  if (!isJsonObject(params)) return undefined;
  const { plugin, sessionId } = params;
  if (typeof plugin === "string") return plugin.slice(0, longestText);
  return typeof sessionId === "string" ? shownId(sessionId) : undefined;
}

/** The texts of the JSON body, and details of an uploaded archive. */
function detailsOf(ctx: RequestContext): Record<string, string> | undefined {
  const asked = { ...textsOf(ctx.state.body), ...ctx.state.auditDetails };
  return Object.keys(asked).length === 0 ? undefined : asked;
}

function textsOf(body: unknown): Record<string, string> {
  if (!isJsonObject(body)) return {};
  const texts = Object.entries(body).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name.slice(0, longestText), value.slice(0, longestText)]] : [],
  );
  return Object.fromEntries(texts.slice(0, 10));
}
