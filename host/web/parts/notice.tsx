import type { ComponentChildren } from "preact";
import { RefusedRequest } from "../preview/refused-request.js";
import { Icon } from "./icon.js";

/** Something that a person has to know, above all else. */
export function Notice({
  tone,
  children,
}: {
  tone: "wrong" | "warning" | "good";
  children: ComponentChildren;
}) {
  return (
    <div class="notice" data-tone={tone} role={tone === "good" ? "status" : "alert"}>
      <Icon name={tone} />
      <div>{children}</div>
    </div>
  );
}

/** Why something failed, in full: what the host said, and what is behind it. */
export function Failure({ error }: { error: Error }) {
  const {
    cause = [],
    id,
    code,
  } = error instanceof RefusedRequest ? error.error : { id: "page-error", code: undefined };
  return (
    <Notice tone="wrong">
      <p class="pre-line">{error.message}</p>
      {cause.map((line) => (
        <p key={line} class="pre-line quiet">
          {line}
        </p>
      ))}
      {code !== 0 && (
        <p class="quiet">
          <code>{id}</code>
          {code !== undefined && ` · ${code}`}
        </p>
      )}
    </Notice>
  );
}
