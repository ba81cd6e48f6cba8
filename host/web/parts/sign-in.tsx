import { Fragment } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Failure, Notice } from "./notice.js";
import { partWords } from "./part-words.js";
import { useAction } from "./use-action.js";
import { useWords } from "./words.js";

/** A dialog that asks for the key. */
export function SignIn() {
  const host = useHost();
  const words = useWords(partWords).signIn;
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
        <h1 id={titleId}>{words.title}</h1>
        {problem !== undefined && failure === undefined && (
          <Notice tone="warning">
            {words.lost} {problem}
          </Notice>
        )}
        {failure !== undefined && <Failure error={failure} />}
        <label for={fieldId}>{words.key}</label>
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
          {words.hint("slipway key new").map((part, index) => (
            <Fragment key={part}>{index === 1 ? <code>{part}</code> : part}</Fragment>
          ))}{" "}
          {words.kept}
        </p>
        <button type="submit" class="button" data-kind="main" aria-disabled={isBusy || undefined}>
          {isBusy ? words.asking : words.act}
        </button>
      </form>
    </dialog>
  );
}
