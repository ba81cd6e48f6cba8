import { useEffect, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { lazy } from "../parts/lazy.js";
import { Failure } from "../parts/notice.js";
import { shownBytes } from "../parts/shown-values.js";
import type { AnsweredFile } from "./sent-request.js";

const mostText = 100_000;
const textual = /^text\/|[/+](?:json|xml)\b/;

/** It comes with a large library, and most answers have no PDF. */
const PdfFile = lazy(() => import("../preview/pdf-file.js"));

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
