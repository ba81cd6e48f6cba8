import { Notice } from "../parts/notice.js";
import { Time } from "../parts/time.js";
import { usePlugin } from "./plugin-context.js";
import { SourceExcerpt } from "./source-excerpt.js";

/** What came of the last save. */
export function ReloadNotice() {
  const { reload, state } = usePlugin();
  if (reload === undefined) return null;
  const tone = reload.level === "error" ? "wrong" : reload.level === "warn" ? "warning" : "good";
  return (
    <Notice tone={tone}>
      <p class="pre-line">
        {reload.text}{" "}
        <span class="quiet">
          <Time at={reload.time} />
        </span>
      </p>
      {reload.place !== undefined && <SourceExcerpt place={reload.place} />}
      {state?.warnings.map((text) => (
        <p key={text} class="pre-line quiet">
          {text}
        </p>
      ))}
    </Notice>
  );
}
