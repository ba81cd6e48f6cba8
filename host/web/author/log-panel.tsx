import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/notice.js";
import { Empty, Panel } from "../parts/panel.js";
import { LineList } from "./line-list.js";
import { usePlugin } from "./plugin-context.js";

/** CSS pixels from the end that still count as the end. */
const nearEnd = 40;

/** All that the plugin logs, answers and becomes, as it happens. */
export function LogPanel() {
  const { lines } = usePlugin();
  const [after, setAfter] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const shown = (lines.entries ?? []).filter(({ id }) => id > after);
  const last = shown.at(-1)?.id ?? 0;

  useLayoutEffect(() => {
    const list = place.current;
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight;
  }, [last]);

  return (
    <Panel
      title="Log"
      aside={
        <Button kind="quiet" act={() => setAfter(last)}>
          Empty
        </Button>
      }
      isFlush
    >
      {lines.failure !== undefined && <Failure error={lines.failure} />}
      {shown.length === 0 ? (
        <Empty icon="audit" title="Nothing was logged yet" />
      ) : (
        <section
          ref={place}
          class="log"
          aria-label="Lines of the log"
          onScroll={({ currentTarget: list }) => {
            isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < nearEnd;
          }}
        >
          <LineList lines={shown} />
        </section>
      )}
    </Panel>
  );
}
