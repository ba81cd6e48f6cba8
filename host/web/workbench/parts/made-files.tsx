import { useEffect, useId, useState } from "preact/hooks";
import { useHost } from "../../client/host-context.js";
import type { AnsweredFile } from "../../parts/answered-files.js";
import { CopyButton, Icon } from "../../parts/button.js";
import { useFormats, useWorkbenchWords } from "../words/words.js";

/** What the host says of a file that it keeps. */
interface FileFacts {
  bytes: number | undefined;
  until: Date | undefined;
}

/** A file that was made: a download, and a link for others. */
export function MadeFile(properties: {
  file: AnsweredFile;
  /** Instead of the file's name. */
  text?: string;
  isMain?: boolean;
}) {
  const { file, text, isMain = false } = properties;
  const { files: words } = useWorkbenchWords();
  const formats = useFormats();
  const facts = useFileFacts(file.address);
  const id = useId();
  if (facts === "expired") return <p class="quiet">{words.expired}</p>;
  const { bytes, until } = facts ?? {};
  return (
    <div class="made-file">
      <a
        class="button"
        data-kind={isMain ? "main" : undefined}
        href={file.address}
        download={file.name}
        title={file.name}
        aria-label={text === undefined ? words.download(file.name) : undefined}
      >
        <Icon name="download" />
        {text ?? <FileName name={file.name} />}
      </a>
      {bytes !== undefined && <span class="quiet no-break">{formats.bytes(bytes)}</span>}
      <details class="link-place">
        <summary class="button" data-kind="quiet" aria-label={words.linkOf(file.name)}>
          {words.link}
        </summary>
        <div class="link-box">
          <span class="link-field">
            <input
              id={id}
              type="text"
              readOnly
              aria-label={words.linkOf(file.name)}
              value={file.url}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={file.url} what={words.link} />
          </span>
          <p class="quiet">{until === undefined ? words.lives : words.until(formats.moment(until))}</p>
        </div>
      </details>
    </div>
  );
}

/** A name that keeps its ending where there is no room for all of it. */
function FileName({ name }: { name: string }) {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 ? dot : name.length;
  return (
    <span class="file-name">
      <span class="cut">{name.slice(0, end)}</span>
      <span>{name.slice(end)}</span>
    </span>
  );
}

/** Size of a file, and when the host removes it. */
function useFileFacts(address: string): FileFacts | "expired" | undefined {
  const host = useHost();
  const [facts, setFacts] = useState<FileFacts | "expired">();
  useEffect(() => {
    const given = new AbortController();
    fetch(address, { method: "HEAD", headers: host.headers(), signal: given.signal }).then(
      ({ status, headers }) => {
        if (status === 404) return setFacts("expired");
        // The length would be that of an error.
        if (status !== 200) return;
        const length = Number(headers.get("Content-Length") ?? Number.NaN);
        const end = new Date(headers.get("Sunset") ?? Number.NaN);
        setFacts({
          bytes: Number.isNaN(length) ? undefined : length,
          until: Number.isNaN(end.getTime()) ? undefined : end,
        });
      },
      // The file can be had without these.
      () => undefined,
    );
    return () => given.abort();
  }, [host, address]);
  return facts;
}
