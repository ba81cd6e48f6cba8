import type { ComponentChildren } from "preact";
import { usePrevented } from "../../parts/access-needed.js";
import { Icon } from "../../parts/icon.js";
import { useFileDrop } from "../../parts/use-file-drop.js";
import { InstallDialog } from "./install-dialog.js";
import { wanted } from "./upload.js";
import { UploadList } from "./upload-list.js";

const take = (files: File[]): void => wanted.set(files);

/** Takes archives that are dropped anywhere on the page. */
export function DropTarget({ children }: { children: ComponentChildren }) {
  const prevented = usePrevented("operate");
  const isOver = useFileDrop(prevented === undefined, take);
  return (
    <>
      {children}
      {isOver && (
        <div class="drop-hint" data-tone={prevented === undefined ? "good" : "wrong"}>
          <p>
            <Icon name={prevented === undefined ? "upload" : "wrong"} />
            {prevented ?? "Drop the plugin to install it"}
          </p>
        </div>
      )}
      <InstallDialog />
      <UploadList />
    </>
  );
}
