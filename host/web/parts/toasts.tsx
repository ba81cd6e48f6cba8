import { useEffect } from "preact/hooks";
import { Observed, useObserved } from "../client/observed.js";
import { Icon } from "./button.js";
import { partWords } from "./part-words.js";
import { useWords } from "./words.js";

const shownFor = 8000;

interface Toast {
  id: number;
  text: string;
  icon: "good" | "warning";
}

let lastId = 0;
const toasts = new Observed<readonly Toast[]>([]);

/** Shows a success message for some seconds. */
export function toastSuccess(text: string): void {
  say(text, "good");
}

/** Shows a failure message for some seconds. */
export function toastFailure(text: string): void {
  say(text, "warning");
}

function say(text: string, icon: Toast["icon"]): void {
  lastId += 1;
  toasts.set([...toasts.value, { id: lastId, text, icon }]);
}

/** Displays the messages. */
export function Toasts() {
  const shown = useObserved(toasts);
  return (
    <div class="toasts" role="status">
      {shown.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { toast: Toast }) {
  const remove = (): void => toasts.set(toasts.value.filter(({ id }) => id !== toast.id));
  const words = useWords(partWords);
  useEffect(() => {
    const timer = setTimeout(remove, shownFor);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="toast">
      <Icon name={toast.icon} />
      <span>{toast.text}</span>
      <button type="button" class="copy" aria-label={words.close} onClick={remove}>
        <Icon name="close" />
      </button>
    </p>
  );
}
