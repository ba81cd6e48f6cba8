import { CopyButton } from "../../parts/button.js";

/** The beginning of a hash; all of it in the tooltip and on the clipboard. */
export function ShortHash({ hash }: { hash: string }) {
  return (
    <span class="with-copy">
      <code title={hash}>{hash.slice(0, 12)}…</code>
      <CopyButton text={hash} what="hash" />
    </span>
  );
}
