import { eventText } from "../../../observability/events/event-text.js";
import type { PluginEvent, PluginState } from "../../client/answers.js";
import { useObserved } from "../../client/observed.js";
import { Icon } from "../../parts/button.js";
import { Failure } from "../../parts/notice.js";
import { addressOf } from "../../parts/route.js";
import { listed, shownBytes } from "../../parts/shown-values.js";
import { labelOf, StageBadge, stageWords } from "../../parts/stage-badge.js";
import { useHostView } from "../host-view.js";
import { closeUpload, type Upload, uploads } from "./upload.js";

/** What becomes of archives that were sent, at the edge of the page until somebody closes it. */
export function UploadList() {
  const shown = useObserved(uploads);
  if (shown.length === 0) return null;
  return (
    <section class="uploads" aria-label="Installations">
      {shown.map((upload) => (
        <UploadCard key={upload.id} upload={upload} />
      ))}
    </section>
  );
}

function UploadCard({ upload }: { upload: Upload }) {
  const { id, name, outcome } = upload;
  return (
    <article class="upload">
      <header>
        <h2>{name}</h2>
        {outcome !== undefined && (
          <button type="button" class="copy" aria-label={`Close ${name}`} onClick={() => closeUpload(id)}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <Progress upload={upload} />
    </article>
  );
}

function Progress({ upload }: { upload: Upload }) {
  const { share, bytes, outcome, name } = upload;
  if (outcome === undefined && share < 1)
    return (
      <>
        <progress value={share} max={1} aria-label={`Sending ${name}`} />
        <p class="quiet">
          {shownBytes(share * bytes)} of {shownBytes(bytes)} sent
        </p>
      </>
    );
  if (outcome === undefined) return <Steps upload={upload} />;
  if ("failure" in outcome) return <Failure error={outcome.failure} />;
  return <Outcome answered={outcome.plugin} />;
}

/** Where it stands now; at first as the host answered. */
function Outcome({ answered }: { answered: PluginState }) {
  const { plugins } = useHostView();
  const isSame = ({ name, version, hash }: PluginState): boolean =>
    name === answered.name && version === answered.version && hash === answered.hash;
  const plugin = plugins.value?.plugins.find(isSame) ?? answered;
  const { name, releases, reason, stage } = plugin;
  return (
    <div role="status">
      <p>
        <StageBadge state={plugin} />{" "}
        {name === undefined ? labelOf(plugin) : <a href={addressOf("plugins", name)}>{labelOf(plugin)}</a>}
      </p>
      <p class="quiet">
        {releases.length > 0
          ? `Live in ${releases.length === 1 ? "release" : "releases"} ${listed(releases)}.`
          : (reason ?? stageWords(stage).meaning)}
      </p>
    </div>
  );
}

/** The stages that it goes through, while the host has not answered. */
function Steps({ upload }: { upload: Upload }) {
  const { events } = useHostView();
  const last = events.entries?.findLast((event) => event.id > upload.after && isAbout(event));
  return (
    <>
      <progress aria-label={`The host looks at ${upload.name}`} />
      <p class="quiet" role="status">
        {last === undefined ? "Sent; the host verifies it …" : `${eventText(last)} …`}
      </p>
    </>
  );
}

/** The host gives the file a name of its own, so that the folder's newest steps count. */
function isAbout({ kind, actor }: PluginEvent): boolean {
  return kind === "stage" && (actor === "host" || actor === "folder");
}
