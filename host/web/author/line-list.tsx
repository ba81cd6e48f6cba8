import type { DevelopmentLine } from "../client/answers.js";
import { Time } from "../parts/time.js";
import { SourceExcerpt } from "./source-excerpt.js";

/** Lines of the log, the oldest first. */
export function LineList({ lines }: { lines: readonly DevelopmentLine[] }) {
  return (
    <ol class="lines">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ol>
  );
}

function Line({ line }: { line: DevelopmentLine }) {
  const { time, kind, level, text, fields, stack, place } = line;
  const facts = Object.entries(fields);
  return (
    <li data-kind={kind} data-level={level}>
      <Time at={time} />
      <div>
        <p class="pre-line">
          {level !== "info" && kind === "log" && <strong>{level.toUpperCase()} </strong>}
          {text}
          {facts.map(([name, value]) => (
            <span key={name} class="quiet">
              {" "}
              {name}={typeof value === "string" ? value : JSON.stringify(value)}
            </span>
          ))}
        </p>
        {place !== undefined && <SourceExcerpt place={place} />}
        {stack !== undefined && (
          <details>
            <summary>Stack</summary>
            <pre>{stack}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
