import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.js";

const shownFor = 1500;

/** Puts a text on the clipboard. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), shownFor);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  const said =
    outcome === undefined
      ? `Copy ${what}`
      : outcome === "copied"
        ? "Copied"
        : "The browser does not let this page copy";
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} title={said} onClick={() => void copy()}>
      <Icon name={outcome === "copied" ? "good" : outcome === "failed" ? "wrong" : "copy"} />
      <span class="unseen" role="status">
        {outcome === undefined ? "" : said}
      </span>
    </button>
  );
}
