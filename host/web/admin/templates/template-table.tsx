import type { TemplateState } from "../../client/operations.js";
import { Badge } from "../../parts/badge.js";
import { usePrevented } from "../../parts/notice.js";
import { Empty } from "../../parts/panel.js";
import { ProblemList } from "../../parts/problem-list.js";
import { addressOf } from "../../parts/route.js";
import { TablePanel } from "../../parts/table.js";

/** Templates of the folders, those with mistakes first. */
export function TemplateTable({ templates }: { templates: readonly TemplateState[] }) {
  const isBroken = ({ problems }: TemplateState): boolean => problems.length > 0;
  const rows = [...templates].sort(
    (one, other) => Number(isBroken(other)) - Number(isBroken(one)) || one.key.localeCompare(other.key),
  );
  return (
    <TablePanel
      title="In the folders"
      empty={
        <Empty icon="templates" title="No templates yet">
          Make one with <code>slipway template new KEY</code>, or copy one into the host's folder of
          templates.
        </Empty>
      }
      caption="Templates"
      rows={rows}
      keyOf={({ folder, key, plugin = "" }) => `${plugin} ${folder} ${key}`}
      toneOf={(template) => (isBroken(template) ? "wrong" : undefined)}
      columns={[
        { title: "Key", kind: "main", cell: (template) => <Key template={template} /> },
        { title: "State", cell: (template) => <State template={template} /> },
        {
          title: "Version",
          cell: ({ version }) =>
            version === undefined ? (
              <span class="quiet">none</span>
            ) : (
              <code title={version}>{version.slice(0, 12)}</code>
            ),
        },
        { title: "Remarks", cell: (template) => <Remarks template={template} /> },
        {
          title: "Preview",
          kind: "action",
          cell: ({ key, version }) => (version === undefined ? null : <PreviewLink template={key} />),
        },
      ]}
    />
  );
}

function Key({ template }: { template: TemplateState }) {
  const { key, aliases, folder, plugin } = template;
  const others = aliases.filter((alias) => alias !== key);
  return (
    <>
      <strong>{key}</strong>
      {others.length > 0 && <span class="quiet"> {others.join(", ")}</span>}
      {plugin !== undefined && <p class="quiet">of the plugin {plugin}</p>}
      {folder !== key && (
        <p class="quiet">
          folder <code>{folder}</code>
        </p>
      )}
    </>
  );
}

function State({ template: { version, problems } }: { template: TemplateState }) {
  if (problems.length === 0) return <Badge tone="good" icon="live" text="Serving" />;
  return version === undefined ? (
    <Badge tone="wrong" icon="wrong" text="Broken" title="No version is live." />
  ) : (
    <Badge
      tone="warning"
      icon="warning"
      text="Serving an older version"
      title="The last saved version is unusable; the previous one keeps serving."
    />
  );
}

function Remarks({ template: { problems, notes, warnings } }: { template: TemplateState }) {
  if (problems.length === 0 && notes.length === 0 && warnings.length === 0) return null;
  return (
    <div class="remarks">
      <ProblemList problems={[...problems, ...notes]} />
      {warnings.map((text) => (
        <p key={text} class="pre-line quiet">
          {text}
        </p>
      ))}
    </div>
  );
}

/** Link to the live preview of a template. */
function PreviewLink({ template }: { template: string }) {
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
