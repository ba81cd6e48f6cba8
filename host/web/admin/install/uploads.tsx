import { eventText } from "../../../observability/events/event-text.js";
import { useHost } from "../../client/host-context.js";
import { useObserved } from "../../client/observed.js";
import type { PluginEvent, PluginState } from "../../client/operations.js";
import { labelOf, StageBadge, stageWords } from "../../parts/badge.js";
import { Icon } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Failure, Notice } from "../../parts/notice.js";
import { addressOf } from "../../parts/route.js";
import { listed, shownBytes } from "../../parts/shown-values.js";
import { useHostView } from "../host-view.js";
import { chosenArchives, closeUpload, startUpload, type Upload, uploads } from "./upload.js";

/** Shows uploaded archives and their stages at the edge of the page until the admin closes them. */
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

/** The current stage; at first that of the response. */
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

/** The stages before the host has responded. */
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

/** The host renames the file, so the newest events of the folder count. */
function isAbout({ kind, actor }: PluginEvent): boolean {
  return kind === "stage" && (actor === "host" || actor === "folder");
}

/** Asks for confirmation before it installs archives. */
export function InstallDialog() {
  const host = useHost();
  const files = useObserved(chosenArchives);
  const { events } = useHostView();
  if (files.length === 0) return null;
  const close = (): void => chosenArchives.set([]);
  const foreign = files.filter(({ name }) => !/\.(?:tgz|tar\.gz|tar|zip)$/i.test(name));
  const act = async (): Promise<void> => {
    const after = events.entries?.at(-1)?.id ?? 0;
    for (const file of files) void startUpload(host, file, after);
  };
  const title = files.length === 1 ? `Install ${files[0]?.name}?` : `Install ${files.length} plugins?`;
  return (
    <Confirmation title={title} action="Install" act={act} close={close}>
      <ul class="plain">
        {files.map(({ name, size }) => (
          <li key={name}>
            <code>{name}</code> <span class="quiet">{shownBytes(size)}</span>
          </li>
        ))}
      </ul>
      {foreign.length > 0 && (
        <Notice tone="warning">
          Plugins are <code>.tgz</code> archives, as <code>slipway plugin pack</code> makes them,{" "}
          <code>.tar</code> or <code>.zip</code>. The host will look into it and say what it is.
        </Notice>
      )}
      <p>
        The host puts it into its folder of plugins, verifies and tries it. If it starts and is the highest
        version that fits a release, clients of that release get its answers from then on.
      </p>
      <p class="quiet">
        Running requests finish with their current version. If it is refused or fails, everything stays as it
        is.
      </p>
    </Confirmation>
  );
}
