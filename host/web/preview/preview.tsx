import { useEffect, useRef, useState } from "preact/hooks";
import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Button } from "../parts/button.js";
import { ProblemList } from "../parts/problem-list.js";
import type { Shown } from "./address.js";
import { DataPanel } from "./data-panel.js";
import { LivePreview } from "./live-preview.js";
import { OptionForm } from "./option-form.js";
import { PdfPages } from "./pdf-pages.js";
import { type PreviewedSession, problemOf } from "./preview-state.js";
import { StatusBar } from "./status-bar.js";
import { Toolbar } from "./toolbar.js";
import { nextZoom } from "./zoom.js";

/** The live preview of templates. */
export default function Preview(properties: {
  session: PreviewedSession;
  /** What to show first. */
  shown: Shown & { template: string };
  /** Called when the displayed state changes. */
  remember(shown: Shown): void;
  /** Whether shortcuts work wherever the focus is. */
  isWholePage: boolean;
}) {
  const { session, shown, remember, isWholePage } = properties;
  const host = useHost();
  const [live] = useState(() => new LivePreview(host, session, shown, remember));
  const state = useObserved(live.state);
  const [hasOptions, setHasOptions] = useState(() => matchMedia("(min-width: 56rem)").matches);
  const [hasData, setHasData] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const download = useRef<HTMLAnchorElement>(null);
  const problem = problemOf(state);

  useEffect(() => {
    void live.start();
    return () => live.close();
  }, [live]);

  const goTo = (page: number): void => live.view.goTo(page);
  const step = (by: number): void => goTo(live.view.currentPage + by);
  const zoomBy = (direction: 1 | -1): void => live.chooseZoom(nextZoom(live.view.factor, direction));
  const toggleOptions = (): void => setHasOptions((before) => !before);
  const toggleData = (): void => setHasData((before) => !before);

  useEffect(() => {
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => zoomBy(1),
      "=": () => zoomBy(1),
      "-": () => zoomBy(-1),
      0: () => live.chooseZoom("width"),
      j: () => step(1),
      k: () => step(-1),
      d: () => download.current?.click(),
      o: toggleOptions,
      i: toggleData,
    };
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isForField = target instanceof Element && target.closest("input, select, textarea") !== null;
      const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
      if (act === undefined || isForField || ctrlKey || metaKey || altKey) return;
      act();
      event.preventDefault();
    };
    const place = isWholePage ? document.body : root.current;
    place?.addEventListener("keydown", press);
    return () => place?.removeEventListener("keydown", press);
  }, [live, isWholePage]);

  return (
    <div
      ref={root}
      class="preview"
      data-options={hasOptions || undefined}
      data-stale={problem !== undefined || undefined}
      aria-busy={state.isBusy || undefined}
    >
      <Toolbar
        state={state}
        locale={session.locale}
        download={download}
        hasOptions={hasOptions}
        live={live}
        goTo={goTo}
        zoomBy={zoomBy}
        toggleOptions={toggleOptions}
        hasData={hasData}
        toggleData={toggleData}
      />
      <aside class="side" aria-label="Options">
        <div class="side-head">
          <h1>Options</h1>
          {state.form !== undefined && state.form.chosen.size > 0 && (
            <Button kind="quiet" act={() => live.chooseOptions(new Map())}>
              Reset all
            </Button>
          )}
        </div>
        {state.form !== undefined && (
          <OptionForm {...state.form} change={(key, value) => live.chooseOption(key, value)} />
        )}
      </aside>
      <div class="desk">
        <PdfPages view={live.view} />
        <div class="problems" role="alert" hidden={problem === undefined}>
          {problem !== undefined && (
            <>
              <h2>{problem.title}</h2>
              <ProblemList problems={problem.problems} />
            </>
          )}
        </div>
      </div>
      {hasData && <DataPanel live={live} state={state} />}
      <StatusBar state={state} isBroken={problem !== undefined} project={session.project.name} />
    </div>
  );
}
