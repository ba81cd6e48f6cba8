import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { useAnswer } from "../client/use-answer.js";
import { Button, Icon } from "../parts/button.js";
import { FileButton } from "../parts/file-button.js";
import { projectFiles } from "../parts/project.js";
import { useAction } from "../parts/use-action.js";
import { placeAddress } from "./parts/address.js";
import { FailureNotice, ProgressLine } from "./parts/outcome.js";
import type { Opening } from "./projects/workbench.js";
import { useWorkbench } from "./projects/workbench-context.js";
import { useFormats, useWorkbenchWords } from "./words/words.js";

const mostListed = 8;
/** Served beside the page. */
const sampleName = "sample-project.obk";

/** The start page: opens a project. */
export function StartView({ open }: { open(files: readonly File[]): void }) {
  const { open: words } = useWorkbenchWords();
  return (
    <div class="start-view">
      <header>
        <h1>{words.title}</h1>
        <p class="quiet">{words.text}</p>
      </header>
      <div class="drop-place">
        <Icon name="upload" />
        <p class="drop-text">{words.drop}</p>
        <p class="quiet drop-text">{words.or}</p>
        <FileChooser open={open} isMain text={words.choose} />
        <p class="quiet">{words.formats}</p>
      </div>
      <Sample open={open} />
      <Openings open={open} />
      <OtherProjects />
    </div>
  );
}

/** Opens the sample project of the host. */
function Sample({ open }: { open(files: readonly File[]): void }) {
  const host = useHost();
  const { open: words } = useWorkbenchWords();
  const { run, failure } = useAction(async () => {
    const answer = await host.request(`workbench/${sampleName}`);
    open([new File([await answer.blob()], sampleName)]);
  });
  return (
    <div class="sample-project">
      <p class="quiet">{words.noFile}</p>
      <Button act={run}>{words.sample}</Button>
      {failure !== undefined && <FailureNotice failure={failure} />}
    </div>
  );
}

/** A button for project files. */
export function FileChooser(properties: {
  text: string;
  label?: string;
  isMain?: boolean;
  open(files: readonly File[]): void;
}) {
  const { text, label, isMain = false, open } = properties;
  return (
    <FileButton
      {...(isMain ? { kind: "main" as const } : { icon: "plus" as const })}
      {...(label !== undefined && { label })}
      accept={projectFiles}
      isMultiple
      take={open}
    >
      {text}
    </FileButton>
  );
}

/** Files that are being opened, or could not be. */
export function Openings({ open }: { open(files: readonly File[]): void }) {
  const workbench = useWorkbench();
  const { open: words, errors } = useWorkbenchWords();
  const openings = useObserved(workbench.openings);
  if (openings.length === 0) return null;
  return (
    <ul class="openings">
      {openings.map((opening) => (
        <li key={opening.id}>
          {opening.failure === undefined ? (
            <Sending opening={opening} stop={() => workbench.dismiss(opening.id)} />
          ) : (
            <FailureNotice
              failure={opening.failure}
              instead={{ "request-bad-request": errors["broken-file"] }}
            >
              <p>
                <strong>{opening.file.name}</strong>
              </p>
              <div class="notice-acts">
                <Button
                  act={() => {
                    workbench.dismiss(opening.id);
                    open([opening.file]);
                  }}
                >
                  {words.again}
                </Button>
                <Button kind="quiet" act={() => workbench.dismiss(opening.id)}>
                  {words.dismiss}
                </Button>
              </div>
            </FailureNotice>
          )}
        </li>
      ))}
    </ul>
  );
}

function Sending({ opening: { file, share }, stop }: { opening: Opening; stop(): void }) {
  const { open: words } = useWorkbenchWords();
  const isSent = share >= 1;
  return (
    <ProgressLine
      text={isSent ? `${file.name}: ${words.reading}` : `${words.sending(file.name)} …`}
      share={isSent ? undefined : share}
      stop={stop}
    />
  );
}

/** Projects that are open on the host, the latest first. */
function OtherProjects() {
  const workbench = useWorkbench();
  const { open: words, project, unnamed } = useWorkbenchWords();
  const formats = useFormats();
  const { value } = useAnswer("GET /api/sessions", {});
  const own = useObserved(workbench.projects).map(({ facts }) => facts.sessionId);
  const others = (value?.sessions ?? []).filter(({ sessionId }) => !own.includes(sessionId)).reverse();
  if (others.length === 0) return null;
  return (
    <section class="other-projects">
      <h2>{words.others}</h2>
      <ul>
        {others.slice(0, mostListed).map(({ sessionId, opened, project: { name, number, articles } }) => (
          <li key={sessionId}>
            <a href={placeAddress(sessionId)}>
              <strong class="cut">{name || unnamed}</strong>
              <span class="quiet cut">
                {[number, formats.counted(articles, project.items), formats.moment(new Date(opened))]
                  .filter((text) => text !== "")
                  .join(" · ")}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
