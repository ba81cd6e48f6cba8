import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Failure } from "./notice.js";
import { useAction } from "./use-action.js";

/** Asks before something is done: what will happen, to whom, and what then came of it where it failed. */
export function Confirmation(properties: {
  title: string;
  /** What the button says. */
  action: string;
  kind?: "main" | "danger";
  children: ComponentChildren;
  /** Does it; the dialog stays open, and says why, where that fails. */
  act(): Promise<void>;
  close(): void;
}) {
  const { title, action, kind = "main", children, act, close } = properties;
  const { run, isBusy, failure } = useAction(async () => {
    await act();
    close();
  });
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) run();
        }}
      >
        <div class="dialog-body">
          {children}
          {failure !== undefined && <Failure error={failure} />}
        </div>
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            {isBusy ? "Close" : "Cancel"}
          </button>
          <button type="submit" class="button" data-kind={kind} aria-disabled={isBusy || undefined}>
            {isBusy ? "Working …" : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A dialog over the page, as long as it is drawn. The key Escape calls `close`; the focus goes back to where it was. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id} class="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
