import { host } from "../client/host-context.js";
import { Badge } from "../parts/badge.js";
import { CopyButton } from "../parts/button.js";
import { Empty, Facts, Panel } from "../parts/panel.js";
import { shownDuration } from "../parts/shown-values.js";
import { FileItem } from "./file-item.js";
import { LineList } from "./line-list.js";
import { usePlugin } from "./plugin-context.js";
import { filesIn, type RouteAnswer, suppressedIn } from "./sent-request.js";

/** What a route answered, with its files, what was left out, and what it logged. */
export function AnswerPanel({ answer, isBusy }: { answer: RouteAnswer | undefined; isBusy: boolean }) {
  if (answer === undefined)
    return (
      <Panel title="Answer">
        <Empty icon="requests" title={isBusy ? "Waiting for the response …" : "No request sent yet"} />
      </Panel>
    );
  const { status, milliseconds, json, text, headers } = answer;
  const isGood = status < 400;
  const shown = json === undefined ? text : JSON.stringify(json, undefined, 2);
  return (
    <Panel
      title="Answer"
      aside={
        <span class="answer-facts" role="status">
          <Badge tone={isGood ? "good" : "wrong"} icon={isGood ? "good" : "wrong"} text={String(status)} />
          <span class="quiet">{shownDuration(milliseconds)}</span>
          <CopyButton text={shown} what="answer" />
        </span>
      }
    >
      <Suppressed json={json} />
      <Files json={json} />
      <pre class="answer">{shown}</pre>
      <details>
        <summary>Headers</summary>
        <Facts facts={headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
      </details>
      <RequestLines requestId={answer.requestId} />
    </Panel>
  );
}

function Suppressed({ json }: { json: unknown }) {
  const errors = suppressedIn(json);
  if (errors.length === 0) return null;
  return (
    <section class="suppressed" aria-label="Left out or repaired">
      {errors.map(({ id, message, scopes }, index) => (
        <p key={index} class="any-break">
          <Badge
            tone={scopes.includes("ERROR") ? "wrong" : "warning"}
            icon="warning"
            text={scopes.map(String).join(", ") || "error"}
          />{" "}
          {message} <code class="quiet">{id}</code>
        </p>
      ))}
    </section>
  );
}

function Files({ json }: { json: unknown }) {
  const files = filesIn(json, host.root);
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <FileItem key={file.address} file={file} />
      ))}
    </ul>
  );
}

function RequestLines({ requestId }: Pick<RouteAnswer, "requestId">) {
  const { lines } = usePlugin();
  const own = (lines.entries ?? []).filter((line) => requestId !== undefined && line.requestId === requestId);
  if (own.length === 0) return null;
  return (
    <section class="request-lines" aria-label="Log of this request">
      <LineList lines={own} />
    </section>
  );
}
