import { useRef } from "preact/hooks";
import { usePrevented } from "../../parts/access-needed.js";
import { Button } from "../../parts/button.js";
import { wanted } from "./upload.js";

/** Chooses the archive of a plugin. */
export function InstallButton() {
  const field = useRef<HTMLInputElement>(null);
  const prevented = usePrevented("operate");
  return (
    <>
      <Button icon="upload" kind="main" prevented={prevented} act={() => field.current?.click()}>
        Install …
      </Button>
      <input
        ref={field}
        type="file"
        accept=".tgz,.gz,application/gzip"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          wanted.set([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      {prevented !== undefined && <p class="prevented quiet">{prevented}</p>}
    </>
  );
}
