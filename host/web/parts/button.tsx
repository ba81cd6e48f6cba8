import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { partWords } from "./part-words.js";
import { useWords } from "./words.js";

/** A button. If it is disabled, it stays focusable and states the reason. */
export function Button(properties: {
  act(): void;
  children: ComponentChildren;
  icon?: IconName;
  kind?: "main" | "danger" | "quiet";
  /** Why the button is disabled; undefined if it is enabled. */
  prevented?: string | undefined;
  /** Accessible name, if the content is not enough. */
  label?: string;
  isPressed?: boolean;
  id?: string;
}) {
  const { act, children, icon, kind, prevented, label, isPressed, id } = properties;
  return (
    <button
      id={id}
      type="button"
      class="button"
      data-kind={kind}
      aria-disabled={prevented === undefined ? undefined : true}
      aria-label={label}
      aria-pressed={isPressed}
      title={prevented ?? label}
      onClick={() => {
        if (prevented === undefined) act();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with an icon only; the tooltip has its shortcut. */
export function IconButton(properties: {
  label: string;
  icon: IconName;
  act(): void;
  shortcut?: string;
  /** For buttons that open and close something. */
  isExpanded?: boolean;
}) {
  const { label, icon, act, shortcut, isExpanded } = properties;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-expanded={isExpanded}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Takes back the change of a field. */
export function ResetButton({ label, hint, act }: { label: string; hint: string; act(): void }) {
  return (
    <button type="button" class="reset-button" aria-label={label} title={hint} onClick={act}>
      <Icon name="reset" />
    </button>
  );
}

const shownFor = 1500;

/** Copies a text to the clipboard. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const words = useWords(partWords);
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
    outcome === undefined ? words.copy(what) : outcome === "copied" ? words.copied : words.notCopied;
  return (
    <button type="button" class="copy" aria-label={words.copy(what)} title={said} onClick={() => void copy()}>
      <Icon name={outcome === "copied" ? "good" : outcome === "failed" ? "wrong" : "copy"} />
      <span class="unseen" role="status">
        {outcome === undefined ? "" : said}
      </span>
    </button>
  );
}

/** SVG paths in a square of 16 units. */
const pictures = {
  overview: "M2.500 9.500h3l2-6 2.500 9 1.500-3h2",
  plugins: "M6 2.500v3M10 2.500v3M4 5.500h8v3a4 4 0 0 1-8 0zM8 12.500v1.500",
  templates: "M4 1.500h5.500L13 5v9.500H4zM9.500 1.500V5H13M6.500 8.500h4M6.500 11h4",
  sessions: "M2 4h5l1.500 2H14v7.500H2zM2 4V2.500h4",
  jobs: "M3 2.500h10M3 13.500h10M4.500 2.500c0 4 3 4 3.500 5.500c.5-1.500 3.500-1.500 3.500-5.500M4.500 13.500c0-4 3-4 3.500-5.500c.5 1.500 3.500 1.500 3.500 5.500",
  requests: "M2 5.500h11M10 2.500l3 3-3 3M14 10.500H3M6 7.500l-3 3 3 3",
  audit: "M3 2.500h10v11H3zM5.500 6h5M5.500 8.500h5M5.500 11h2.500",
  good: "M3 8.500l3.500 3.500L13 5",
  live: "M8 4.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7z",
  standby: "M8 3.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9z",
  working: "M8 2.500a5.500 5.500 0 1 1-5.500 5.500",
  waiting: "M8 2.500a5.500 5.500 0 1 1 0 11 5.500 5.500 0 0 1 0-11zM8 5v3.200l2 1.800",
  warning: "M8 2.500l6 11H2zM8 7v3M8 11.800v.2",
  wrong: "M4 4l8 8M12 4l-8 8",
  off: "M5.500 3.500v9M10.500 3.500v9",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  upload: "M8 10.500v-8M4.500 6L8 2.500 11.500 6M2.500 10.500v3h11v-3",
  back: "M6.500 3L2.500 7l4 4M2.500 7H10a3.500 3.500 0 0 1 0 7H8",
  look: "M13 8A5 5 0 1 1 11.200 4.200M13.500 1.500v3.500H10",
  pause: "M5.500 3.500v9M10.500 3.500v9",
  play: "M4.500 3l8 5-8 5z",
  key: "M10.500 2a3.500 3.500 0 1 1-2.400 6L3 13v1H1.800v-2.500L6.900 6.500A3.500 3.500 0 0 1 10.500 2z",
  light:
    "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  dark: "M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z",
  system: "M2 3h12v8H2zM5.500 13.500h5M8 11v2.500",
  close: "M4 4l8 8M12 4l-8 8",
  options: "M2 4h7m4 0h1M2 12h1m4 0h7M9 2v4M7 10v4",
  data: "M6 2.500c-2 0-2 .5-2 2.500s0 2.500-1.500 3c1.500.5 1.500 1 1.500 3s0 2.500 2 2.500M10 2.500c2 0 2 .5 2 2.500s0 2.500 1.500 3c-1.500.5-1.500 1-1.500 3s0 2.500-2 2.500",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  minus: "M4 8h8",
  plus: "M4 8h8M8 4v8",
  download: "M8 2v8m0 0 3-3m-3 3L5 7M3 13h10",
  reset: "M3 3v4h4M3.500 7A5 5 0 1 1 3 9.500",
  away: "M2 2l12 12M3 8a7 7 0 0 1 3-2M9.500 5.400A7 7 0 0 1 13 8M5.500 10.500a3.500 3.500 0 0 1 3-1M8 13v.2",
} as const;

export type IconName = keyof typeof pictures;

/** Hidden from screen readers, because the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" data-icon={name} viewBox="0 0 16 16" aria-hidden="true">
      <path d={pictures[name]} />
    </svg>
  );
}
