import { Badge } from "../../parts/badge.js";
import { Meter } from "../../parts/facts.js";
import { counted, shownBytes, shownDuration, shownNumber } from "../../parts/shown-values.js";
import type { HostStatus } from "../host/answers.js";
import { Tile } from "./tile.js";

/** Browser, sessions, files and memory. */
export function HostNumbers({ status }: { status: HostStatus }) {
  const { browser, sessions, files, process, instances } = status;
  const ofInstances = instances.reduce((sum, { memory = 0 }) => sum + memory, 0);
  return (
    <>
      <BrowserTile browser={browser} />
      <Tile title="Sessions" value={shownNumber(sessions.open)} unit="open">
        <p>{shownBytes(sessions.bytes)} on disk</p>
      </Tile>
      <Tile title="Generated files" value={shownBytes(files.bytes)}>
        <Meter
          value={files.bytes}
          maximum={files.maximumBytes}
          label={`${shownBytes(files.bytes)} of ${shownBytes(files.maximumBytes)} in use`}
        />
        <p>
          {counted(files.count, "file")}, room for {shownBytes(files.maximumBytes)}
        </p>
      </Tile>
      <Tile title="Memory" value={shownBytes(process.memory + ofInstances)}>
        <p>
          Host {shownBytes(process.memory)}, {counted(instances.length, "plugin process", "plugin processes")}{" "}
          {shownBytes(ofInstances)}
        </p>
        <p title="How late the host's own work begins: the mean, and what 99 of 100 stay below.">
          Delay {shownDuration(process.eventLoopDelay.mean)}, p99 {shownDuration(process.eventLoopDelay.p99)}
        </p>
      </Tile>
    </>
  );
}

function BrowserTile({ browser }: { browser: HostStatus["browser"] }) {
  const { state, detail, pages, busy, waiting, restarts, version } = browser;
  const isGood = state === "ready";
  return (
    <Tile title="Printing" value={`${busy} / ${pages}`} unit="pages busy">
      <p>
        <Badge
          tone={isGood ? "good" : state === "starting" ? "busy" : "wrong"}
          icon={isGood ? "live" : "warning"}
          text={state}
          title={detail}
        />
      </p>
      <p>{waiting === 0 ? "Nothing waits" : counted(waiting, "document waits", "documents wait")}</p>
      <p class="cut" title={version ?? detail}>
        {version ?? detail}
        {restarts > 0 && `, replaced ${counted(restarts, "time")}`}
      </p>
    </Tile>
  );
}
