import type { ReportData } from "@slipway/sdk";
import { useCallback, useEffect } from "preact/hooks";
import { useObserved } from "../../client/observed.js";
import { Notice } from "../../parts/notice.js";
import { Facts, Panel } from "../../parts/panel.js";
import { LongList } from "../parts/long-list.js";
import { Missing } from "../parts/missing.js";
import { FailureNotice, NoteList, PluginProgress } from "../parts/outcome.js";
import { isMissing, NoTemplates, type OpenProject, type ReadWarning } from "../projects/open-project.js";
import { textOf, useFormats, useWorkbenchWords } from "../words/words.js";
import { LineTree } from "./line-tree.js";

/** The contents of a project: lines, totals, header, addresses, and warnings. */
export default function ProjectView({ project }: { project: OpenProject }) {
  const words = useWorkbenchWords();
  const { data, failure, progress } = useObserved(project.content);
  const isAvailable = useCallback(() => project.hasTemplates(), [project]);
  const again = useCallback(() => void project.load(), [project]);
  useEffect(() => {
    if (project.content.value.data === undefined && progress === undefined) void project.load();
  }, [project]);

  if (isMissing(failure))
    return (
      <Missing icon="plugins" title={words.project.noReporter} isAvailable={isAvailable} again={again} />
    );
  if (failure instanceof NoTemplates)
    return (
      <Missing icon="templates" title={words.project.noTemplates} isAvailable={isAvailable} again={again} />
    );
  if (failure !== undefined) return <FailureNotice failure={failure} again={again} />;
  if (data === undefined) return <Skeleton project={project} />;
  return (
    <div class="project-view">
      <div class="project-lines">
        <Skipped warnings={project.facts.warnings} />
        <NoteList errors={data.errors ?? []} />
        <LineTree place={{ data, pictures: project.pictures }} />
      </div>
      <Totals data={data} />
      <aside class="project-facts" aria-label={words.project.about}>
        <About data={data} />
        <Addresses data={data} />
        <Manufacturers data={data} />
      </aside>
    </div>
  );
}

/** Placeholder while the project loads. */
function Skeleton({ project }: { project: OpenProject }) {
  const words = useWorkbenchWords();
  const { progress } = useObserved(project.content);
  return (
    <div class="project-view" aria-busy="true">
      <div class="project-lines">
        {progress === undefined || progress.state === "working" ? (
          <p class="unseen" role="status">
            {words.loading}
          </p>
        ) : (
          <PluginProgress progress={progress} />
        )}
        <div class="panel bones" aria-hidden="true">
          {Array.from({ length: 8 }, (_, index) => (
            <span key={index} />
          ))}
        </div>
      </div>
      <div class="project-totals">
        <div class="panel bones" aria-hidden="true">
          {Array.from({ length: 4 }, (_, index) => (
            <span key={index} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The host lists this many warnings; one more states how many it left out. */
const mostListed = 200;

/** Warnings about parts of the file that the host could not read. */
function Skipped({ warnings }: { warnings: readonly ReadWarning[] }) {
  const { project: words } = useWorkbenchWords();
  const formats = useFormats();
  if (warnings.length === 0) return null;
  const all = warnings.reduce((sum, { count = 1 }) => sum + count, 0);
  const { count: unlisted = 1 } = warnings[mostListed] ?? { count: 0 };
  return (
    <Notice tone="warning">
      <details class="skipped" open={warnings.length <= 3}>
        <summary>
          <strong>{formats.counted(all, words.skipped)}</strong>
        </summary>
        <p>{words.skippedText}</p>
        <LongList
          items={warnings.slice(0, mostListed)}
          draw={({ path, message, line, count }) => (
            <li key={`${path} ${message} ${line}`}>
              {message}{" "}
              <span class="quiet">
                <code class="any-break">{path}</code>
                {line !== undefined && `, ${words.line(formats.number(line))}`}
                {count !== undefined && `, ${words.times(formats.number(count))}`}
              </span>
            </li>
          )}
        />
        {unlisted > 0 && <p class="quiet">{formats.counted(unlisted, words.unlisted)}</p>}
      </details>
    </Notice>
  );
}

function Totals({ data: { totals, currency } }: { data: ReportData }) {
  const { project: words } = useWorkbenchWords();
  const formats = useFormats();
  const { itemNet, headerDiscounts, net, eco, taxes, rounding, total, purchase } = totals;
  const percent = (text: string | null): string => (text === null ? "" : ` ${formats.decimal(text)} %`);
  const rows: [name: string, value: string | null, kind?: "sum" | "total" | "apart"][] = [
    [words.itemNet, itemNet],
    ...headerDiscounts.map(({ label, percentage, value }): [string, string] => [
      `${label}${percent(percentage)}`,
      value,
    ]),
    [words.net, headerDiscounts.length > 0 ? net : null, "sum"],
    [words.eco, eco],
    ...taxes.map(({ label, rate, value }): [string, string] => [`${label}${percent(rate)}`, value]),
    [words.rounding, rounding],
    [words.total, total, "total"],
    [words.purchase, purchase, "apart"],
  ];
  return (
    <div class="project-totals">
      <Panel title={words.totals}>
        <dl class="sums">
          {rows.map(([name, value, kind], index) =>
            value === null ? null : (
              <div key={index} data-kind={kind}>
                <dt>{name}</dt>
                <dd>{formats.money(value, currency)}</dd>
              </div>
            ),
          )}
        </dl>
      </Panel>
    </div>
  );
}

function About({ data: { project } }: { data: ReportData }) {
  const { project: words } = useWorkbenchWords();
  const formats = useFormats();
  const { facts } = words;
  const date = (text: string | null): string => (text === null ? "" : formats.date(text));
  const known: [string, string][] = [
    [facts.number, project.number],
    [facts.customer, project.company],
    [facts.customerNumber, project.customerNumber],
    [facts.reference, project.externalReferenceNumber || project.externalReferenceText],
    [facts.person, project.personInCharge],
    [facts.date, date(project.projectDate)],
    [facts.validTo, date(project.validTo)],
    [facts.agreement, project.generalAgreementNumber],
    [facts.description, project.description],
  ];
  if (known.every(([, value]) => value === "")) return null;
  return (
    <Panel title={words.about}>
      <Facts facts={known} />
    </Panel>
  );
}

function Addresses({ data: { addresses } }: { data: ReportData }) {
  const { project: words } = useWorkbenchWords();
  const known = Object.values(addresses).flatMap((address) => {
    const lines = address === undefined ? [] : addressLines(address);
    return address === undefined || lines.length === 0 ? [] : [{ role: address.addressType, lines }];
  });
  if (known.length === 0) return null;
  return (
    <Panel title={words.addresses}>
      <dl class="addresses">
        {known.map(({ role, lines }) => (
          <div key={role}>
            <dt>{textOf(words.roles, role) ?? role}</dt>
            <dd class="pre-line">{lines.join("\n")}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Lines without empty ones; persons after the company. */
function addressLines(
  address: NonNullable<ReportData["addresses"][keyof ReportData["addresses"]]>,
): string[] {
  const { name1, name2, name3, name4, street, street2, postalCode, location, countryCode } = address;
  const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(" ");
  const persons = address.contacts.map(({ firstName, lastName }) => joined(firstName, lastName));
  const names = [name1, name2, name3, name4, ...persons];
  const lines = [...names, street, street2, joined(postalCode, location), countryCode];
  return lines.filter((line): line is string => line !== undefined && line !== "");
}

function Manufacturers({ data: { totals, currency } }: { data: ReportData }) {
  const { project: words } = useWorkbenchWords();
  const formats = useFormats();
  if (totals.byManufacturer.length < 2) return null;
  return (
    <Panel title={words.manufacturers}>
      <dl class="sums">
        {totals.byManufacturer.map(({ manufacturerId, name, net }, index) => (
          <div key={index}>
            <dt>{name || manufacturerId || words.noManufacturer}</dt>
            <dd>{formats.money(net, currency)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
