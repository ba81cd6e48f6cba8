import { counted, shownNumber } from "../../parts/shown-values.js";
import { useNow } from "../../parts/use-now.js";
import { useHostView } from "../host-view.js";
import { useRequests } from "../requests/recent.js";
import { isOwnLook } from "../requests/request-kinds.js";
import { addressOf } from "../route.js";
import { inSteps } from "./request-rate.js";
import { Sparkline } from "./sparkline.js";
import { Tile } from "./tile.js";

const minutes = 10;
const stepLength = 20_000;

/** Requests and errors of the last minutes. */
export function RequestTile() {
  const { entries } = useRequests();
  const { status } = useHostView();
  const now = useNow(5000);
  const requests = (entries ?? []).filter((request) => !isOwnLook(request));
  const steps = inSteps(requests, now, { count: (minutes * 60_000) / stepLength, length: stepLength });
  const lastMinute = steps.slice(-60_000 / stepLength);
  const perMinute = lastMinute.reduce((sum, { all }) => sum + all, 0);
  const failed = steps.reduce((sum, { failures }) => sum + failures, 0);
  const all = steps.reduce((sum, each) => sum + each.all, 0);
  const label = `${counted(all, "request")} in the last ${minutes} minutes, ${counted(failed, "error")}`;
  return (
    <Tile title="Requests" value={shownNumber(perMinute)} unit="in the last minute" isWide>
      <Sparkline steps={steps} label={label} />
      <p>
        {label}
        {status.value !== undefined && `; ${status.value.requests.running} running now`}
        {failed > 0 && (
          <>
            {" · "}
            <a href={addressOf("requests")}>See the requests</a>
          </>
        )}
      </p>
    </Tile>
  );
}
