import { useEffect, useId, useState } from "preact/hooks";
import { useHost } from "../../client/host-context.js";
import type { AnsweredFile } from "../../parts/answered-files.js";
import { CopyButton, Icon } from "../../parts/button.js";
import { textOf, useFormats, useWorkbenchWords } from "../words/words.js";

/** What the host states about a generated file. */
interface FileFacts {
  bytes: number | undefined;
  until: Date | undefined;
}

/** A generated file: a download with its kind, and a link to share. */
export function GeneratedFile(properties: {
  file: AnsweredFile;
  /** Text of the download; without it, kind and name of the file. */
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
  const size = bytes === undefined ? undefined : formats.bytes(bytes);
  const kind = text ?? textOf(words.kinds, kindOf(file.name));
  // If the download does not state the name, it is below.
  const isNamed = text === undefined && kind !== undefined;
  return (
    <div class="made-file">
      <a
        class="button"
        data-kind={isMain ? "main" : undefined}
        href={file.address}
        download={file.name}
        title={file.name}
      >
        <Icon name="download" />
        <span class="cut">{kind ?? file.name}</span>
      </a>
      {!isNamed && size !== undefined && <span class="quiet no-break">{size}</span>}
      <details class="link-place">
        <summary class="button" data-kind="quiet" aria-label={words.linkOf(file.name)}>
          {words.share}
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
      {isNamed && (
        <span class="file-name quiet">
          {[file.name, size].filter((fact) => fact !== undefined).join(" · ")}
        </span>
      )}
    </div>
  );
}

/** Default names of XML files in exports; a person can choose others. */
const xmlKinds = [
  [/_order-x\.xml$/, "orderX"],
  [/_ubl\.xml$/, "ubl"],
  [/^oex-.*\.xml$/, "oex"],
] as const;

/** The kind of a file, by its name; an XML file can be anything. */
function kindOf(name: string): string {
  const [, kind] = xmlKinds.find(([pattern]) => pattern.test(name)) ?? [];
  return kind ?? name.slice(name.lastIndexOf(".") + 1);
}

/** Size of a file, and when the host deletes it. */
function useFileFacts(address: string): FileFacts | "expired" | undefined {
  const host = useHost();
  const [facts, setFacts] = useState<FileFacts | "expired">();
  useEffect(() => {
    const given = new AbortController();
    fetch(address, { method: "HEAD", headers: host.headers(), signal: given.signal }).then(
      ({ status, headers }) => {
        if (status === 404) return setFacts("expired");
        // This would be the length of an error response.
        if (status !== 200) return;
        const length = Number(headers.get("Content-Length") ?? Number.NaN);
        const end = new Date(headers.get("Sunset") ?? Number.NaN);
        setFacts({
          bytes: Number.isNaN(length) ? undefined : length,
          until: Number.isNaN(end.getTime()) ? undefined : end,
        });
      },
      // The download works without these facts.
      () => undefined,
    );
    return () => given.abort();
  }, [host, address]);
  return facts;
}
