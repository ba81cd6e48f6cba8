import type { SourcePlace } from "../../api/development/development-answers.js";
import type { DevelopmentLine } from "../client/operations.js";
import { CopyButton } from "../parts/button.js";
import { Time } from "../parts/time.js";

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
          {stack !== undefined && `: ${stack.split("\n", 1)[0]}`}
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

/** A source location: file, line and column to copy, and the marked line. */
export function SourceExcerpt({ place }: { place: SourcePlace }) {
  const { file, line, column, excerpt } = place;
  const text = excerpt?.replaceAll("\t", " ");
  const number = `${line} | `;
  const name = `${file}:${line}:${column}`;
  return (
    <div class="source">
      <p class="with-copy">
        <code>{name}</code>
        <CopyButton text={name} what="place" />
      </p>
      {text !== undefined && (
        <pre>
          <span class="quiet">{number}</span>
          {text}
          {"\n"}
          <span class="mark" aria-hidden="true">
            <span class="width">{number + text.slice(0, column - 1)}</span>^
          </span>
        </pre>
      )}
    </div>
  );
}
