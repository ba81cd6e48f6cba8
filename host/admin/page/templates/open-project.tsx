import { useRef, useState } from "preact/hooks";
import { asError } from "../../../as-error.js";
import { useHost } from "../host/host-context.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/notice.js";
import { loadPreview } from "./load-preview.js";

/** Opens a session with a project file. */
export function OpenProject({ opened }: { opened(id: string): void }) {
  const host = useHost();
  const field = useRef<HTMLInputElement>(null);
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
      <Button icon="upload" act={() => field.current?.click()}>
        {isBusy ? "Opening …" : "Open a project …"}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".obk,.obx,.json"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void open(file);
          currentTarget.value = "";
        }}
      />
      {failure !== undefined && <Failure error={failure} />}
    </>
  );
}
