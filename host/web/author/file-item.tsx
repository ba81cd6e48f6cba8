import { useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { styled } from "../admin/templates/preview-frame.js";
import { Failure } from "../parts/notice.js";
import { shownBytes } from "../parts/shown-values.js";
import type * as pdfView from "../preview/pdf-view.js";
import type { AnsweredFile } from "./sent-request.js";

const mostText = 100_000;
const textual = /^text\/|[/+](?:json|xml)\b/;

/** A file that a route made: a link, and what is in it where the page can show that. */
export function FileItem({ file }: { file: AnsweredFile }) {
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
      {type.startsWith("application/pdf") && <PdfContent address={file.address} />}
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

/** Drawn by the preview of templates, in its own style. */
function PdfContent({ address }: { address: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return;
    const root = frame.shadowRoot ?? frame.attachShadow({ mode: "open" });
    const given = new AbortController();
    const failed = (error: unknown): void => setFailure(asError(error));
    const open = async (): Promise<void> => {
      const [{ PdfView }, style, data] = await Promise.all([
        loadPdfView(),
        styled(root),
        fetch(address, { signal: given.signal }).then((response) => response.arrayBuffer()),
      ]);
      given.signal.throwIfAborted();
      const view = new PdfView({ pageChanged: () => undefined, zoomChanged: () => undefined, failed });
      root.replaceChildren(style, view.element);
      await view.show(data, given.signal);
    };
    open().catch((error: unknown) => {
      if (!given.signal.aborted) failed(error);
    });
    return () => given.abort();
  }, [address]);
  return (
    <>
      {failure !== undefined && <Failure error={failure} />}
      <div ref={place} class="file-pdf" />
    </>
  );
}

/** It comes with a large library, and most answers have no PDF. */
async function loadPdfView(): Promise<typeof pdfView> {
  const place = "./preview/pdf-view.js";
  const loaded: typeof pdfView = await import(place);
  return loaded;
}
