import type { SourcePlace } from "../../api/development/source-place.js";
import { CopyButton } from "../parts/button.js";

/** A place in the sources: its file, line and column to copy for an editor, and the line with a mark. */
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
