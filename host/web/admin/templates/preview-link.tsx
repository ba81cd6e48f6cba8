import { usePrevented } from "../../parts/access-needed.js";
import { addressOf } from "../route.js";

/** Leads to the live preview of a template. */
export function PreviewLink({ template }: { template: string }) {
  const prevented = usePrevented("sessions");
  if (prevented !== undefined)
    return (
      <span class="quiet" title={prevented}>
        No preview<span class="unseen">: {prevented}</span>
      </span>
    );
  return (
    <a href={addressOf("templates", template)}>
      Preview<span class="unseen"> of {template}</span>
    </a>
  );
}
