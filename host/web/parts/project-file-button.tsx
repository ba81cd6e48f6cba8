import { useRef } from "preact/hooks";
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
