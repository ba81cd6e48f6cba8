import { useHost } from "../../client/host-context.js";
import { useObserved } from "../../client/observed.js";
import { Confirmation } from "../../parts/dialog.js";
import { Notice } from "../../parts/notice.js";
import { shownBytes } from "../../parts/shown-values.js";
import { useHostView } from "../host-view.js";
import { startUpload, wanted } from "./upload.js";

/** Asks before dropped or chosen archives are installed. */
export function InstallDialog() {
  const host = useHost();
  const files = useObserved(wanted);
  const { events } = useHostView();
  if (files.length === 0) return null;
  const close = (): void => wanted.set([]);
  const foreign = files.filter(({ name }) => !/\.(?:tgz|tar\.gz)$/i.test(name));
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
          Plugins are <code>.tgz</code> archives, as <code>slipway plugin pack</code> makes them. The host
          will look into it and say what it is.
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
