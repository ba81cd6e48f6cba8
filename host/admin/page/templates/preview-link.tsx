import { useEffect, useState } from "preact/hooks";
import type { TemplateState } from "../host/answers.js";
import { useHost } from "../host/host-context.js";

/** Opens the live preview of a template, where the host has one. */
export function PreviewLink({ template }: { template: TemplateState }) {
  const host = useHost();
  const isThere = useHasPreview();
  if (template.version === undefined || isThere === undefined) return null;
  if (!isThere)
    return (
      <span
        class="quiet"
        title="The setting preview turns it on; slipway template preview opens one of its own."
      >
        Preview is off
      </span>
    );
  const address = host.address(`preview/?${new URLSearchParams({ template: template.key })}`);
  return (
    <a href={address.href} target="_blank" rel="noreferrer">
      Preview<span class="unseen"> of {template.key} in a new tab</span>
    </a>
  );
}

let asked: Promise<boolean> | undefined;

/** Whether the host serves the preview; undefined until it has said so. */
function useHasPreview(): boolean | undefined {
  const host = useHost();
  const [isThere, setIsThere] = useState<boolean>();
  useEffect(() => {
    asked ??= fetch(host.address("preview/"), { method: "HEAD" }).then(
      ({ ok }) => ok,
      () => false,
    );
    void asked.then(setIsThere);
  }, [host]);
  return isThere;
}
