import { useEffect, useState } from "preact/hooks";
import { shownSpan, shownTime } from "./shown-values.js";

/** A time in the browser's locale; the tooltip has UTC. `at`: ISO 8601 or milliseconds since the epoch. */
export function Time({ at }: { at: string | number }) {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={time.toISOString()} title={utc(time)}>
      {shownTime(time)}
    </time>
  );
}

/** How long ago something was, such as "5 min ago". */
export function Ago({ at }: { at: string | number }) {
  const now = useNow(10_000);
  const time = new Date(at);
  const past = now - time.getTime();
  return (
    <time dateTime={time.toISOString()} title={`${shownTime(time)} · ${utc(time)}`}>
      {past < 10_000 ? "just now" : `${shownSpan(past)} ago`}
    </time>
  );
}

/** How long it is until something, such as "in 45 s". */
export function Countdown({ to }: { to: string | number }) {
  const now = useNow();
  const time = new Date(to);
  return (
    <time dateTime={time.toISOString()} title={utc(time)}>
      {shownSpan(time.getTime() - now)}
    </time>
  );
}

function utc(time: Date): string {
  return `${time.toISOString().replace("T", " ").slice(0, 19)} UTC`;
}

/** The current time, updated every so many milliseconds while the page is visible. */
export function useNow(every = 1000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
