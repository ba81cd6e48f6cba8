import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Failure } from "./notice.js";
import { useAction } from "./use-action.js";

/** A confirmation dialog, which also shows the failure of the action. */
export function Confirmation(properties: {
  title: string;
  /** Text of the button. */
  action: string;
  kind?: "main" | "danger";
  children: ComponentChildren;
  /** Performs the action. If it fails, the dialog stays open and shows the reason. */
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

/** A modal dialog while it is rendered. Escape calls `close`; afterwards the focus returns. */
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
