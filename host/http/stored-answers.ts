import { notFound } from "@slipway/sdk/runtime/host";
import type { ArtifactStore } from "../files/files.js";
import type { StoredAnswer } from "../jobs/stored-answer.js";
import { exposeHeaders } from "./cross-origin.js";
import { sendContent } from "./dispatch.js";
import type { RequestContext } from "./request-state.js";

/** Sends an answer as its request got it, or would have got it; 404 where its file has expired. */
export async function sendStoredAnswer(
  ctx: RequestContext,
  { status, headers, content }: StoredAnswer,
  artifacts: ArtifactStore,
): Promise<void> {
  ctx.state.answered = content;
  ctx.set(headers);
  exposeHeaders(ctx, Object.keys(headers));
  if (content.kind === "file") {
    const file = await artifacts.find(content.id);
    if (file === undefined) throw notFound(ctx.path);
    await sendContent(ctx, { kind: "file", file }, artifacts);
    return;
  }
  await sendContent(ctx, content, artifacts);
  ctx.status = status;
}
