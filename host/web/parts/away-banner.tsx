import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Button, Icon } from "./button.js";
import { partWords } from "./part-words.js";
import { Countdown, Time } from "./time.js";
import { useWords } from "./words.js";

/** States since when the host has not responded: the page may show older data. */
export function AwayBanner() {
  const { connection } = useHost();
  const away = useObserved(connection.away);
  const words = useWords(partWords);
  return (
    <div class="away-place" role="status">
      {away !== undefined && (
        <div class="away">
          <Icon name="away" />
          <p>
            <strong>
              {words.awaySince} <Time at={away.since} />.
            </strong>{" "}
            {words.earlierData}{" "}
            <span class="quiet" aria-hidden="true">
              {words.nextTry} <Countdown to={away.nextTry} />.
            </span>
          </p>
          <Button act={() => connection.tryNow()}>{words.tryNow}</Button>
        </div>
      )}
    </div>
  );
}
