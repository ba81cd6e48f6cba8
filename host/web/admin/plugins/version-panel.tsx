import { useState } from "preact/hooks";
import type { PluginState } from "../../client/operations.js";
import { isTroubled, StageBadge, stageWords } from "../../parts/badge.js";
import { Button, CopyButton, Icon } from "../../parts/button.js";
import { usePrevented } from "../../parts/notice.js";
import { Facts } from "../../parts/panel.js";
import { shownNumber } from "../../parts/shown-values.js";
import { Countdown, Time } from "../../parts/time.js";
import { EnableDialog } from "./plugin-dialogs.js";

const shownAssets = 20;

/** All details of a version. */
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
  const { assets, schedules = [], sessionHooks = [] } = state;
  return [
    ["Releases", releases.length === 0 ? "none" : <code>{releases.join(", ")}</code>],
    ["Since", <Time key="since" at={since} />],
    ["Folder", <code key="folder">{folder}</code>],
    ["Hash", hash === undefined ? undefined : <ShortHash hash={hash} />],
    ["Signed by", signedBy ?? "no trusted key"],
    ["Process", processId === undefined ? undefined : <code>{processId}</code>],
    ["Replaced", replacements === 0 ? "never" : `${shownNumber(replacements)} times`],
    ["Offers", <Services key="offers" services={services} />],
    ["Assets", assets === undefined || assets.length === 0 ? undefined : <Assets assets={assets} />],
    ["Schedules", schedules.length === 0 ? undefined : <Schedules schedules={schedules} />],
    ["Session hooks", sessionHooks.length === 0 ? undefined : <code>{sessionHooks.join(", ")}</code>],
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

function Assets({ assets }: { assets: NonNullable<PluginState["assets"]> }) {
  return (
    <ul class="plain">
      {assets.slice(0, shownAssets).map(({ path, bytes, sha256 }) => (
        <li key={path}>
          <code title={`SHA-256 ${sha256}`}>{path}</code>{" "}
          <span class="quiet">{shownNumber(bytes)} bytes</span>
        </li>
      ))}
      {assets.length > shownAssets && <li>and {shownNumber(assets.length - shownAssets)} more</li>}
    </ul>
  );
}

function Schedules({ schedules }: { schedules: NonNullable<PluginState["schedules"]> }) {
  return (
    <ul class="plain">
      {schedules.map(({ name, cron, timeZone, summary, lastRun }) => (
        <li key={name}>
          <code title={summary}>{name}</code>{" "}
          <span class="quiet">
            {cron} {timeZone},{" "}
            {lastRun === undefined ? "never run" : `last: ${lastRun.outcome ?? "not finished"}`}
          </span>
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

/** Retries a failed version. */
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

/** The beginning of a hash; all of it in the tooltip and on the clipboard. */
export function ShortHash({ hash }: { hash: string }) {
  return (
    <span class="with-copy">
      <code title={hash}>{hash.slice(0, 12)}…</code>
      <CopyButton text={hash} what="hash" />
    </span>
  );
}
