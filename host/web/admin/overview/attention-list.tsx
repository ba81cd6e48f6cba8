import { Icon } from "../../parts/icon.js";
import { counted } from "../../parts/shown-values.js";
import { useHostView } from "../host-view.js";
import { useAttention } from "./attention.js";

/** One clear word about everything, and what is not well in full. */
export function AttentionList() {
  const { status } = useHostView();
  const attention = useAttention();
  if (status.value === undefined) return null;
  const isReady = status.value.ready;
  const tone = !isReady ? "wrong" : attention.length > 0 ? "warning" : "good";
  const needs = counted(attention.length, "thing needs a look", "things need a look");
  const verdict = !isReady ? "Not ready" : attention.length === 0 ? "All is well" : needs;
  return (
    <section class="verdict" data-tone={tone} aria-labelledby="verdict">
      <div class="verdict-head">
        <Icon name={tone} />
        <div>
          <h2 id="verdict">{verdict}</h2>
          <p class="quiet">{isReady ? "The host takes requests." : "The host cannot serve everything."}</p>
        </div>
      </div>
      {attention.length > 0 && (
        <ul class="attention">
          {attention.map(({ tone: kind, title, text, address }) => (
            <li key={`${title} ${text}`} data-tone={kind}>
              <Icon name={kind} />
              <div>
                <a href={address}>{title}</a>
                {text !== undefined && <p class="pre-line">{text}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
