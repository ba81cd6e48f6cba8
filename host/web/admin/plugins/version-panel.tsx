import { useState } from "preact/hooks";
import type { PluginState } from "../../client/answers.js";
import { Button, Icon } from "../../parts/button.js";
import { usePrevented } from "../../parts/notice.js";
import { Facts } from "../../parts/panel.js";
import { shownNumber } from "../../parts/shown-values.js";
import { isTroubled, StageBadge, stageWords } from "../../parts/stage-badge.js";
import { Countdown, Time } from "../../parts/time.js";
import { EnableDialog } from "./disable-dialog.js";
import { ShortHash } from "./short-hash.js";

/** One version with everything that is known of it. */
export function VersionPanel({ state, changed }: { state: PluginState; changed(): void }) {
  const { version = "no version", reason, warnings, probationUntil, stage } = state;
  return (
    <article class="version" data-tone={isTroubled(state) ? "wrong" : undefined}>
      <header>
        <h2>{version}</h2>
        <StageBadge state={state} />
        <Again state={state} changed={changed} />
      </header>
      <p class={isTroubled(state) ? "reason pre-line" : "quiet pre-line"}>
        {reason ?? stageWords(stage).meaning}
      </p>
      {probationUntil !== undefined && (
        <p class="probation">
          <Icon name="waiting" /> On probation for another <Countdown to={probationUntil} />; the version
          before stands by.
        </p>
      )}
      {warnings.map((text) => (
        <p key={text} class="warning pre-line">
          <Icon name="warning" /> {text}
        </p>
      ))}
      <Facts facts={factsOf(state)} />
    </article>
  );
}

function factsOf(state: PluginState) {
  const { releases, since, folder, hash, signedBy, services, requirements, replacements, processId } = state;
  return [
    ["Releases", releases.length === 0 ? "none" : <code>{releases.join(", ")}</code>],
    ["Since", <Time key="since" at={since} />],
    ["Folder", <code key="folder">{folder}</code>],
    ["Hash", hash === undefined ? undefined : <ShortHash hash={hash} />],
    ["Signed by", signedBy ?? "no trusted key"],
    ["Process", processId === undefined ? undefined : <code>{processId}</code>],
    ["Replaced", replacements === 0 ? "never" : `${shownNumber(replacements)} times`],
    ["Offers", <Services key="offers" services={services} />],
    ["Asks for", requirements.length === 0 ? undefined : <Requirements requirements={requirements} />],
  ] as const;
}

function Services({ services }: Pick<PluginState, "services">) {
  const entries = Object.entries(services);
  if (entries.length === 0) return <>no services</>;
  return (
    <ul class="plain">
      {entries.map(([service, methods]) => (
        <li key={service}>
          <code>{service}</code> <span class="quiet">{methods.join(", ")}</span>
        </li>
      ))}
    </ul>
  );
}

function Requirements({ requirements }: Pick<PluginState, "requirements">) {
  return (
    <ul class="plain">
      {requirements.map(({ plugin, service, met }) => (
        <li key={`${plugin} ${service}`} class="met" data-tone={met ? "good" : "warning"}>
          <Icon name={met ? "good" : "warning"} />
          <span>
            <code>{service}</code> of <code>{plugin}</code> {met ? "" : "(not available)"}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Another chance for what failed. */
function Again({ state, changed }: { state: PluginState; changed(): void }) {
  const [isAsking, setIsAsking] = useState(false);
  const prevented = usePrevented("operate");
  const { name, version, stage } = state;
  if (name === undefined || version === undefined) return null;
  if (stage !== "failed" && stage !== "quarantined") return null;
  const close = (): void => {
    setIsAsking(false);
    changed();
  };
  return (
    <>
      <Button kind="quiet" icon="look" prevented={prevented} act={() => setIsAsking(true)}>
        Try again …
      </Button>
      {isAsking && <EnableDialog name={name} version={version} close={close} />}
    </>
  );
}
