import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePrevented } from "../parts/access-needed.js";
import { Icon } from "../parts/icon.js";
import { InstallDialog } from "./install-dialog.js";
import { wanted } from "./upload.js";
import { UploadList } from "./upload-list.js";

/** Takes archives that are dropped anywhere on the page. */
export function DropTarget({ children }: { children: ComponentChildren }) {
  const prevented = usePrevented("operate");
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without it the browser would open the file.
      event.preventDefault();
      if (event.dataTransfer !== null)
        event.dataTransfer.dropEffect = prevented === undefined ? "copy" : "none";
      setIsOver(true);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      if (prevented === undefined) wanted.set([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", drop);
    };
  }, [prevented]);
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
