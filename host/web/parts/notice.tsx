import type { ComponentChildren } from "preact";
import { useHost, useMay } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import type { Role } from "../client/operations.js";
import { RefusedRequest } from "../client/refusal.js";
import { Icon } from "./button.js";
import { Empty } from "./panel.js";
import { partWords } from "./part-words.js";
import { useWords } from "./words.js";

/** An important message. */
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

/** A failure with all details from the host. */
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

/** Why the page does not know its roles yet; renders nothing without a failure. */
export function StartProblem() {
  const host = useHost();
  const problem = useObserved(host.startProblem);
  const access = useObserved(host.access);
  return problem === undefined || access !== undefined ? null : <Failure error={problem} />;
}

/** Shows its children if the key has one of the roles, else the reason why not. */
export function AccessNeeded({ roles, children }: { roles: readonly Role[]; children: ComponentChildren }) {
  const access = useObserved(useHost().access);
  const may = useMay(...roles);
  const words = useWords(partWords).access;
  if (may || access === undefined || access.roles.length === 0) return <>{children}</>;
  return (
    <Empty icon="key" title={words.title}>
      {words.may(access.roles.join(", "), roles.join(words.or))}
    </Empty>
  );
}

/** Why this key does not allow an action; undefined if it does. */
export function usePrevented(role: Role): string | undefined {
  const access = useObserved(useHost().access);
  if (useMay(role)) return undefined;
  if (access === undefined || access.roles.length === 0) return "Sign in first.";
  const named = access.key === undefined ? "This key" : `The key "${access.key}"`;
  return `${named} may ${access.roles.join(", ")} only; this takes the role ${role}.`;
}
