/** Progress, failures and notes. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { errorMessage } from "../../../system/errors.js";
import type { Progress } from "../../client/answer-later.js";
import { RefusedRequest } from "../../client/refusal.js";
import type { Suppressed } from "../../parts/answered-files.js";
import { Button, Icon } from "../../parts/button.js";
import { Notice } from "../../parts/notice.js";
import { Countdown } from "../../parts/time.js";
import { textOf, useFormats, useWorkbenchWords } from "../words/words.js";
import { LongList } from "./long-list.js";

/** A progress bar with a text; without a share, it is indeterminate. */
export function ProgressLine(properties: { text: string; share?: number | undefined; stop?(): void }) {
  const { text, share, stop } = properties;
  const words = useWorkbenchWords().progress;
  const id = useId();
  return (
    <div class="progress-line">
      <p id={id} role="status">
        {text}
      </p>
      <progress aria-labelledby={id} max={1} {...(share !== undefined && { value: share })} />
      {stop !== undefined && (
        <Button kind="quiet" act={stop}>
          {words.stop}
        </Button>
      )}
    </div>
  );
}

/** Progress of a plugin. */
export function PluginProgress({ progress, stop }: { progress: Progress; stop?: () => void }) {
  const { progress: words } = useWorkbenchWords();
  if (progress.state === "overloaded")
    return (
      <Notice tone="warning">
        <p>
          {words.overloaded} <Countdown to={progress.until} />.
        </p>
      </Notice>
    );
  if (progress.state === "away")
    return (
      <Notice tone="warning">
        <p>{words.away}.</p>
      </Notice>
    );
  const { part, text = "" } = progress;
  const step = textOf(words.steps, text) ?? text;
  const shown = step === "" ? `${words.working} …` : `${words.working}: ${step}`;
  return <ProgressLine text={shown} share={part} {...(stop !== undefined && { stop })} />;
}

/** A failure in the language of the page, with the message of the host below. */
export function FailureNotice(properties: {
  failure: unknown;
  /** Other texts, by id of the error. */
  instead?: Readonly<Record<string, string>>;
  /** Adds a button that tries again. */
  again?: () => void;
  children?: ComponentChildren;
}) {
  const { failure, instead = {}, again, children } = properties;
  const { errors: words } = useWorkbenchWords();
  const { id, message, cause } = factsOf(failure);
  const title = textOf(instead, id) ?? textOf(words, id) ?? words.unknown;
  return (
    <Notice tone="wrong">
      <p>
        <strong>{title}.</strong>
      </p>
      {id !== "host-away" && (
        <p class="pre-line quiet" lang="en">
          {[message, ...cause].join("\n")}
        </p>
      )}
      {children}
      {again !== undefined && <Button act={again}>{words.again}</Button>}
    </Notice>
  );
}

/** States that something is loading. */
export function Loading() {
  return (
    <p class="quiet" role="status">
      {useWorkbenchWords().loading}
    </p>
  );
}

function factsOf(failure: unknown): { id: string; message: string; cause: readonly string[] } {
  if (!(failure instanceof RefusedRequest)) return { id: "", message: errorMessage(failure), cause: [] };
  const { id, message, cause = [] } = failure.error;
  return { id, message, cause };
}

/** Suppressed errors of the plugin, without duplicates. */
export function NoteList({ errors }: { errors: readonly Suppressed[] }) {
  const { notes: words } = useWorkbenchWords();
  const formats = useFormats();
  if (errors.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { message } of errors) counts.set(message, (counts.get(message) ?? 0) + 1);
  return (
    <details class="note-list" open={counts.size <= 3}>
      <summary>
        <Icon name="warning" /> {formats.counted(counts.size, words.title)}
      </summary>
      <p class="quiet">{words.again}</p>
      <LongList
        items={[...counts]}
        draw={([message, count]) => (
          <li key={message}>
            {message} {count > 1 && <span class="quiet">× {formats.number(count)}</span>}
          </li>
        )}
      />
    </details>
  );
}
