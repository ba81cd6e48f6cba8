import { Command } from "commander";
import { RequestList } from "../api/answers.js";
import { RecentRequest } from "../observability/requests/finished-requests.js";
import { localTime, printable } from "../system/terminal-text.js";
import { feedCommand } from "./feeds.js";
import { answerReader } from "./host-client.js";

const readRequest = answerReader(RecentRequest, "request");
const readRequests = answerReader(RequestList);

/** `slipway requests`: the recent requests of a running host. */
export function requestsCommand(): Command {
  const command = new Command("requests").option("--errors", "only those that did not go well");
  return feedCommand(command, {
    path: "/api/requests",
    query: ({ errors }: { errors?: true }) => (errors ? { errors: "true" } : {}),
    entries: (answer) => readRequests(answer).requests,
    entry: readRequest,
    line: shownRequest,
    follow: "follow new requests",
    help: `
For the question "what is going wrong right now?". The host keeps its last 1,000 requests in memory; its log has all of
them, under the id at the end of each line. Nothing is changed.

Columns: when it came, status, milliseconds (and those of them that it waited for its turn), method and path, who answered,
error, id.

Examples:
  $ slipway requests --errors --limit 50
  $ slipway requests --follow`,
  });
}

/** Formats a request as one line, with local time. */
function shownRequest(request: RecentRequest): string {
  const { time, status, milliseconds, waited, method, path, target, errorId, isComplete, requestId } =
    request;
  const waiting = waited >= 1 ? ` (${Math.round(waited)} waiting)` : "";
  return [
    localTime(time),
    String(status),
    `${String(Math.round(milliseconds)).padStart(6)} ms${waiting}`,
    `${method} ${path}`,
    ...(target === undefined ? [] : [`${target.plugin}@${target.version}`]),
    ...(errorId === undefined ? [] : [errorId]),
    ...(isComplete ? [] : ["not read to its end"]),
    requestId,
  ]
    .map((part, index) => (index === 2 ? part : printable(part)))
    .join("  ");
}
