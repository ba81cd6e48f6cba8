import type { ComponentProps } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "./button.js";

/** A button that opens the browser's dialog for files. */
export function FileButton(
  properties: Omit<ComponentProps<typeof Button>, "act"> & {
    /** Media types or endings, separated by commas. */
    accept: string;
    isMultiple?: boolean;
    /** Receives at least one file. */
    take(files: readonly [File, ...File[]]): void;
  },
) {
  const { accept, isMultiple = false, take, ...button } = properties;
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} act={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        accept={accept}
        multiple={isMultiple}
        hidden
        onChange={({ currentTarget }) => {
          const [first, ...others] = currentTarget.files ?? [];
          if (first !== undefined) take([first, ...others]);
          // The person can choose the same file again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
