import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Button, Icon } from "./button.js";
import { Countdown, Time } from "./time.js";

/** Says that the host does not answer, and since when; what the page shows may be older than that. */
export function AwayBanner() {
  const { connection } = useHost();
  const away = useObserved(connection.away);
  return (
    <div class="away-place" role="status">
      {away !== undefined && (
        <div class="away">
          <Icon name="away" />
          <p>
            <strong>
              Host away since <Time at={away.since} />.
            </strong>{" "}
            This page shows earlier data.{" "}
            <span class="quiet" aria-hidden="true">
              Next try in <Countdown to={away.nextTry} />.
            </span>
          </p>
          <Button act={() => connection.tryNow()}>Try now</Button>
        </div>
      )}
    </div>
  );
}
