import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Failure, Notice } from "./notice.js";
import { useAction } from "./use-action.js";

/** Asks for the key, over everything else. */
export function SignIn() {
  const host = useHost();
  const problem = useObserved(host.keyProblem);
  const [key, setKey] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [titleId, fieldId, hintId] = [useId(), useId(), useId()];

  useLayoutEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  const { run, isBusy, failure } = useAction(() => host.signIn(key.trim()));
  useEffect(() => {
    if (failure !== undefined) field.current?.select();
  }, [failure]);

  return (
    <dialog
      ref={dialog}
      class="dialog sign-in"
      aria-labelledby={titleId}
      onCancel={(event) => event.preventDefault()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) run();
        }}
      >
        <img src="icon.svg" alt="" width="40" height="40" />
        <h1 id={titleId}>This host requires a key</h1>
        {problem !== undefined && failure === undefined && (
          <Notice tone="warning">The key of this page does not count any more: {problem}</Notice>
        )}
        {failure !== undefined && <Failure error={failure} />}
        <label for={fieldId}>Key</label>
        <input
          ref={field}
          id={fieldId}
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby={hintId}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <p id={hintId} class="quiet">
          Create one on the server with <code>slipway key new</code>. It is kept in this tab until you close
          it.
        </p>
        <button type="submit" class="button" data-kind="main" aria-disabled={isBusy || undefined}>
          {isBusy ? "Asking …" : "Sign in"}
        </button>
      </form>
    </dialog>
  );
}
