import { useState } from "preact/hooks";
import { asError } from "../../../system/as-error.js";
import { Failure } from "../../parts/notice.js";
import { ProjectFileButton } from "../../parts/project-file-button.js";
import { useHost } from "../host/host-context.js";
import { loadPreview } from "./load-preview.js";

/** Opens a session with a project file. */
export function OpenProject({ opened }: { opened(id: string): void }) {
  const host = useHost();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const open = async (file: File): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const { HostClient } = await loadPreview();
      opened((await new HostClient(host.root, () => host.headers()).openSession(file)).sessionId);
    } catch (error) {
      setFailure(asError(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <ProjectFileButton text="Open a project …" isBusy={isBusy} open={(file) => void open(file)} />
      {failure !== undefined && <Failure error={failure} />}
    </>
  );
}
