import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.js";

/** Lets somebody choose a project file. */
export function ProjectFileButton(properties: {
  /** What it says. */
  text: string;
  /** Where the text says too little. */
  label?: string;
  isBusy: boolean;
  open(file: File): void;
}) {
  const { text, label, isBusy, open } = properties;
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" {...(label !== undefined && { label })} act={() => field.current?.click()}>
        {isBusy ? "Opening …" : text}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".obk,.obx,.json"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) open(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

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
