import type { TemplateProblem } from "../client/operations.js";

/** Mistakes in templates, with file, line and the line itself. */
export function ProblemList({ problems }: { problems: readonly TemplateProblem[] }) {
  return (
    <>
      {problems.map((problem) => (
        <ProblemText key={JSON.stringify(problem)} problem={problem} />
      ))}
    </>
  );
}

function ProblemText({ problem: { file, line, column, message, excerpt } }: { problem: TemplateProblem }) {
  const place = [file, line, column]
    .filter((part) => part !== undefined && part !== null && part !== "")
    .join(":");
  return (
    <div class="problem">
      {place !== "" && (
        <p>
          <code>{place}</code>
        </p>
      )}
      <p class="pre-line">{message}</p>
      {excerpt !== undefined && (
        <pre class="excerpt" data-line={line ?? ""}>
          <code>
            {excerpt}
            {column !== undefined && <Mark excerpt={excerpt} column={column} />}
          </code>
        </pre>
      )}
    </div>
  );
}

/** A sign below the column. */
function Mark({ excerpt, column }: { excerpt: string; column: number }) {
  return (
    <>
      {`\n${excerpt.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}`}
      <span class="mark">^</span>
    </>
  );
}
