import { useCallback, useEffect, useState } from "preact/hooks";
import { useObserved } from "../../client/observed.js";
import { Button, IconButton } from "../../parts/button.js";
import { Options } from "../../parts/options.js";
import { language } from "../../parts/words.js";
import { namedLocales, TemplateChoices } from "../../preview/choices.js";
import type { LivePreview } from "../../preview/live-preview.js";
import { OptionForm } from "../../preview/option-form.js";
import { PdfPages } from "../../preview/pdf-pages.js";
import { nextZoom } from "../../preview/zoom.js";
import { GeneratedFile } from "../parts/generated-files.js";
import { Missing } from "../parts/missing.js";
import { FailureNotice, Loading, NoteList, PluginProgress } from "../parts/outcome.js";
import { isMissing, NoTemplates, type OpenProject } from "../projects/open-project.js";
import { useFormats, useWorkbenchWords } from "../words/words.js";

/** A report of the project: template and options beside the pages as they will be printed. */
export default function ReportView({ project }: { project: OpenProject }) {
  const words = useWorkbenchWords();
  const [live, setLive] = useState<LivePreview>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const isAvailable = useCallback(() => project.hasTemplates(), [project]);
  const again = useCallback(() => setAttempt((before) => before + 1), []);
  useEffect(() => {
    let isWanted = true;
    setFailure(undefined);
    project.report().then(
      (made) => isWanted && setLive(made),
      (error: unknown) => isWanted && setFailure(error),
    );
    return () => {
      isWanted = false;
    };
  }, [project, attempt]);

  if (isMissing(failure))
    return <Missing icon="plugins" title={words.report.missing} isAvailable={isAvailable} again={again} />;
  if (failure instanceof NoTemplates)
    return <Missing icon="templates" title={words.report.none} isAvailable={isAvailable} again={again} />;
  if (failure !== undefined) return <FailureNotice failure={failure} again={again} />;
  if (live === undefined) return <Loading />;
  return <Report live={live} project={project} />;
}

function Report({ live, project }: { live: LivePreview; project: OpenProject }) {
  const { report: words, views } = useWorkbenchWords();
  const state = useObserved(live.state);
  const progress = useObserved(project.reportProgress);
  const { report, failure, isBusy, pages } = state;
  useEffect(() => {
    // Templates can change while the page is open.
    const look = (): void => {
      if (!document.hidden) void live.reloadTemplates();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [live]);
  return (
    <div class="report-view">
      <section class="report-form" aria-label={words.options}>
        <Choices live={live} locale={project.facts.locale} />
        <OptionPanel live={live} />
      </section>
      <section class="report-pages" aria-label={views.report} aria-busy={isBusy || undefined}>
        <div class="report-head">
          <PageTools live={live} />
          {report !== undefined && failure === undefined && !isBusy && (
            <GeneratedFile
              key={report.address}
              file={{ name: report.name, address: report.address, url: report.url }}
              text={words.download}
              isMain
            />
          )}
        </div>
        {isBusy && (
          <div class="report-progress">
            <PluginProgress progress={progress} />
          </div>
        )}
        {failure !== undefined && !isBusy && (
          <FailureNotice failure={failure.error} again={() => live.again()}>
            {pages.count > 0 && <p>{words.stale}</p>}
          </FailureNotice>
        )}
        {report !== undefined && !isBusy && failure === undefined && <NoteList errors={report.errors} />}
        <div class="report-paper" data-stale={isBusy || failure !== undefined || undefined}>
          {pages.count === 0 && (
            <div class="paper-place">
              <p class="quiet">{words.nothing}</p>
            </div>
          )}
          <PdfPages view={live.view} />
        </div>
      </section>
    </div>
  );
}

/** Choices of template and language. */
function Choices({ live, locale }: { live: LivePreview; locale: string }) {
  const { report: words } = useWorkbenchWords();
  const chosenLanguage = useObserved(language);
  const { shown, templates } = useObserved(live.state);
  const description = templates.find(({ key }) => key === shown.template)?.description ?? "";
  const current = shown.locale ?? locale;
  return (
    <div class="report-choices">
      <label>
        {words.template}
        <select
          value={shown.template}
          onFocus={() => void live.reloadTemplates()}
          onChange={({ currentTarget }) => live.chooseTemplate(currentTarget.value)}
        >
          <TemplateChoices templates={templates} chosen={shown.template} />
        </select>
      </label>
      {description !== "" && <p class="quiet">{description}</p>}
      <label>
        {words.language}
        <select value={current} onChange={({ currentTarget }) => live.chooseLocale(currentTarget.value)}>
          <Options of={namedLocales(chosenLanguage, [current, locale])} />
        </select>
      </label>
    </div>
  );
}

const wide = matchMedia("(width >= 56rem)");

/** The options of the template; collapsed in a narrow window, so that the pages are near. */
function OptionPanel({ live }: { live: LivePreview }) {
  const { report: words } = useWorkbenchWords();
  const { form } = useObserved(live.state);
  return (
    <details class="report-options" open={wide.matches}>
      <summary>
        <h2>{words.options}</h2>
      </summary>
      {form !== undefined && form.chosen.size > 0 && (
        <Button kind="quiet" act={() => live.chooseOptions(new Map())}>
          {words.reset}
        </Button>
      )}
      {form !== undefined && <OptionForm {...form} change={(key, value) => live.chooseOption(key, value)} />}
    </details>
  );
}

/** Current page and zoom. */
function PageTools({ live }: { live: LivePreview }) {
  const { report: words } = useWorkbenchWords();
  const formats = useFormats();
  const { pages } = useObserved(live.state);
  if (pages.count === 0) return <span />;
  const zoomBy = (direction: 1 | -1): void => live.chooseZoom(nextZoom(live.view.factor, direction));
  return (
    <div class="page-tools">
      <p class="quiet">{words.page(formats.number(pages.current), formats.number(pages.count))}</p>
      <IconButton label={words.smaller} icon="minus" act={() => zoomBy(-1)} />
      <IconButton label={words.larger} icon="plus" act={() => zoomBy(1)} />
    </div>
  );
}
