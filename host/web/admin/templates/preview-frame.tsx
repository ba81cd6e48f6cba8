import { useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../../system/errors.js";
import { Failure } from "../../parts/notice.js";
import type { Preview } from "../../preview/preview.js";
import type { SessionEntry } from "../host/answers.js";
import { useHost } from "../host/host-context.js";
import { addressOf } from "../route.js";
import { loadPreview } from "./load-preview.js";

/** The preview itself, with a style of its own that nothing else on the page has. */
export function PreviewFrame(properties: {
  session: SessionEntry;
  template: string;
  /** Hears of the template that somebody chooses in the preview. */
  changed(template: string): void;
}) {
  const { template, changed } = properties;
  const { sessionId: id, locale, project } = properties.session;
  const { name } = project;
  const host = useHost();
  const place = useRef<HTMLElement>(null);
  const [failure, setFailure] = useState<Error>();

  useEffect(() => {
    const frame = place.current;
    if (frame === null) return;
    const root = frame.shadowRoot ?? frame.attachShadow({ mode: "open" });
    const given = new AbortController();
    const open = async (): Promise<void> => {
      const { HostClient, Preview } = await loadPreview();
      const style = await styled(root);
      if (given.signal.aborted) return;
      const preview = new Preview({
        host: new HostClient(host.root, () => host.headers()),
        session: { id, locale, project: name },
        shown: { session: id, template, locale: undefined, zoom: undefined, options: new Map() },
        remember: (shown) => {
          const now = shown.template ?? template;
          history.replaceState(null, "", addressOf("templates", now));
          changed(now);
        },
      });
      given.signal.addEventListener("abort", () => preview.close());
      frame.addEventListener("keydown", (event) => pass(event, preview), given);
      root.replaceChildren(style, preview.element);
      await preview.start();
    };
    open().catch((error: unknown) => setFailure(asError(error)));
    return () => given.abort();
  }, [host, id, locale, name, template, changed]);

  return (
    <>
      {failure !== undefined && <Failure error={failure} />}
      <section ref={place} class="preview-frame" aria-label="Preview" />
    </>
  );
}

/** Gives a key to the preview, unless it is for a field. */
function pass(event: KeyboardEvent, preview: Preview): void {
  const [target] = event.composedPath();
  const isForField = target instanceof Element && target.closest("input, select, textarea") !== null;
  if (isForField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (preview.press(event.key)) event.preventDefault();
}

/** The style sheet of the preview, when it is there; it takes the place of what the root shows. */
export function styled(root: ShadowRoot): Promise<HTMLLinkElement> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "preview/preview.css";
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve(link));
    link.addEventListener("error", () => reject(new Error("The style of the preview cannot be loaded.")));
    root.replaceChildren(link);
  });
}
