import type { ComponentChildren } from "preact";
import { useHost, useMay } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import type { Role } from "../client/operations.js";
import { RefusedRequest } from "../client/refusal.js";
import { Icon } from "./button.js";
import { Empty } from "./panel.js";
import { partWords } from "./part-words.js";
import { useWords } from "./words.js";

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

/** Why the page does not know yet what it may do; nothing while it is well. */
export function StartProblem() {
  const host = useHost();
  const problem = useObserved(host.startProblem);
  const access = useObserved(host.access);
  return problem === undefined || access !== undefined ? null : <Failure error={problem} />;
}

/** Shows what is inside to those who may look; says to others why not. */
export function AccessNeeded({ roles, children }: { roles: readonly Role[]; children: ComponentChildren }) {
  const access = useObserved(useHost().access);
  const may = roles.map(useMay).includes(true);
  const words = useWords(partWords).access;
  if (may || access === undefined || access.roles.length === 0) return <>{children}</>;
  return (
    <Empty icon="key" title={words.title}>
      {words.may(access.roles.join(", "), roles.join(words.or))}
    </Empty>
  );
}

/** Why an action cannot be used with this key; undefined where it can. */
export function usePrevented(role: Role): string | undefined {
  const access = useObserved(useHost().access);
  if (useMay(role)) return undefined;
  if (access === undefined || access.roles.length === 0) return "Sign in first.";
  const named = access.key === undefined ? "This key" : `The key "${access.key}"`;
  return `${named} may ${access.roles.join(", ")} only; this takes the role ${role}.`;
}
