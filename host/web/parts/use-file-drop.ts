import { useEffect, useState } from "preact/hooks";

/** Takes files that are dropped anywhere on the page, where that is allowed; gives whether some are being held over it. */
export function useFileDrop(isAllowed: boolean, taken: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without it the browser would open the file.
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isAllowed ? "copy" : "none";
      setIsOver(true);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      if (isAllowed) taken([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", drop);
    };
  }, [isAllowed, taken]);
  return isOver;
}
