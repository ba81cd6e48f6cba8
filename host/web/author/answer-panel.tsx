import { useEffect, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { host } from "../client/host-context.js";
import { type AnsweredFile, filesIn, suppressedIn } from "../parts/answered-files.js";
import { Badge } from "../parts/badge.js";
import { CopyButton } from "../parts/button.js";
import { lazy } from "../parts/lazy.js";
import { Failure } from "../parts/notice.js";
import { Empty, Facts, Panel } from "../parts/panel.js";
import { shownBytes, shownDuration } from "../parts/shown-values.js";
import { LineList } from "./line-list.js";
import { usePlugin } from "./plugin-context.js";
import type { RouteAnswer } from "./sent-request.js";

/** The response of a route, with its files, suppressed errors and log lines. */
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

const mostText = 100_000;
const textual = /^text\/|[/+](?:json|xml)\b/;

/** Loaded on demand: the PDF library is large, and most responses have no PDF. */
const PdfFile = lazy(() => import("../preview/pdf-file.js"));

/** A generated file: a link, and its contents if the page can show them. */
function FileItem({ file }: { file: AnsweredFile }) {
  const [facts, setFacts] = useState<{ type: string; bytes: number }>();
  useEffect(() => {
    fetch(file.address, { method: "HEAD" })
      .then(({ headers }) =>
        setFacts({ type: headers.get("Content-Type") ?? "", bytes: Number(headers.get("Content-Length")) }),
      )
      .catch(() => undefined); // the link stays
  }, [file.address]);
  const type = facts?.type ?? "";
  return (
    <li>
      <p>
        <a href={file.address} target="_blank" rel="noreferrer">
          {file.name}
        </a>{" "}
        {facts !== undefined && (
          <span class="quiet">
            {type.replace(/;.*/, "")}, {shownBytes(facts.bytes)}
          </span>
        )}
      </p>
      {type.startsWith("image/") && <img class="file-image" src={file.address} alt={file.name} />}
      {textual.test(type) && <TextContent address={file.address} />}
      {type.startsWith("application/pdf") && <PdfFile address={file.address} />}
    </li>
  );
}

function TextContent({ address }: { address: string }) {
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    fetch(address, { headers: { Range: `bytes=0-${mostText - 1}` } })
      .then(async (response) => setText(await response.text()))
      .catch((error: unknown) => setFailure(asError(error)));
  }, [address]);
  if (failure !== undefined) return <Failure error={failure} />;
  return text === undefined ? null : <pre class="file-text">{text}</pre>;
}
