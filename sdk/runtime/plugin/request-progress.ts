import { shortened } from "../../schema/text.js";
import type { RequestProgress } from "../messages/request-messages.js";
import type { HostLink } from "./host-link.js";

const longestText = 200;

/** `progress` of a handler; sends nothing if the client does not follow the request. */
export function requestProgress(
  link: Pick<HostLink, "progress" | "progressInterval">,
  isFollowed: boolean,
): (part: number, text?: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (part, text) => {
    // Thrown immediately, so that the stack trace points to the plugin's code.
    if (typeof part !== "number" || Number.isNaN(part))
      throw new TypeError(`progress: part: expected a number from 0 to 1, received ${String(part)}`);
    const now = performance.now();
    if (!isFollowed || now - last < link.progressInterval) return;
    last = now;
    const progress: RequestProgress = { part: Math.min(1, Math.max(0, part)) };
    link.progress(
      text === undefined ? progress : { ...progress, text: shortened(String(text), longestText) },
    );
  };
}
