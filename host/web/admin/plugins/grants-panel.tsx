import { useId, useState } from "preact/hooks";
import { missingIn, withGranted } from "../../../configuration/granted-permissions.js";
import { useHost } from "../../client/host-context.js";
import type { PluginOverview } from "../../client/operations.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { usePrevented } from "../../parts/notice.js";
import { TablePanel } from "../../parts/table.js";
import { toastSuccess } from "../../parts/toasts.js";

type Grants = PluginOverview["grants"]["saved"];
type Missing = PluginOverview["versions"][number]["missingGrants"][number];

/** A row: what a plugin may do, or what it asks for. */
interface Permission {
  permission: string;
  /** The server, folder, variable or plugin. */
  value: string | undefined;
  /** Who grants it, or why the plugin asks for it. */
  remark: string;
  isMissing: boolean;
}

/** What a plugin is granted and asks for; nothing when it neither asks nor has. */
export function GrantsPanel({ overview, changed }: { overview: PluginOverview; changed(): void }) {
  const [asking, setAsking] = useState<"grant" | "revoke">();
  const prevented = usePrevented("operate");
  const { configured, saved } = overview.grants;
  const missing = missingIn(overview);
  const rows = [
    ...missing.map(({ permission, value, reason }) => ({
      permission,
      value,
      remark: reason,
      isMissing: true,
    })),
    ...granted(configured, "The host's configuration grants it."),
    ...granted(saved, "An admin has granted it."),
  ];
  if (rows.length === 0) return null;
  const close = (): void => {
    setAsking(undefined);
    changed();
  };
  const hasSaved = granted(saved, "").length > 0;
  return (
    <>
      <TablePanel
        title="Permissions"
        caption="What the plugin asks for, then what it is granted"
        rows={rows}
        keyOf={({ permission, value, remark }) => `${permission} ${value} ${remark}`}
        toneOf={({ isMissing }) => (isMissing ? "wrong" : undefined)}
        columns={[
          { title: "Permission", kind: "main", cell: ({ permission }) => <code>{permission}</code> },
          { title: "Of", cell: ({ value }) => value !== undefined && <code>{value}</code> },
          { title: "State", cell: ({ isMissing }) => (isMissing ? "Asked for" : "Granted") },
          { title: "Remark", cell: ({ remark }) => remark },
        ]}
      />
      <div class="actions">
        {missing.length > 0 && (
          <Button icon="play" kind="main" prevented={prevented} act={() => setAsking("grant")}>
            Grant …
          </Button>
        )}
        {hasSaved && (
          <Button icon="back" kind="danger" prevented={prevented} act={() => setAsking("revoke")}>
            Revoke …
          </Button>
        )}
      </div>
      {asking === "grant" && <GrantDialog overview={overview} missing={missing} close={close} />}
      {asking === "revoke" && <RevokeDialog name={overview.name} close={close} />}
    </>
  );
}

/** Asks where folders are before it grants all that is missing. */
function GrantDialog(properties: { overview: PluginOverview; missing: readonly Missing[]; close(): void }) {
  const host = useHost();
  const { overview, missing, close } = properties;
  const { name } = overview;
  const [folders, setFolders] = useState<Record<string, string>>({});
  const id = useId();
  const wanted = missing.flatMap(({ permission, value }) =>
    (permission === "read" || permission === "write") && value !== undefined ? [value] : [],
  );
  const act = async (): Promise<void> => {
    const body = withGranted(overview.grants.saved, missing, folders);
    await host.call("PUT /api/plugins/:plugin/grants", { params: { plugin: name }, body });
    toastSuccess(`${name} has what it asks for.`);
  };
  return (
    <Confirmation title={`Grant ${name} what it asks for?`} action="Grant" act={act} close={close}>
      <ul>
        {missing.map(({ permission, value, reason }) => (
          <li key={`${permission} ${value}`}>
            <strong>{value === undefined ? permission : `${permission} ${value}`}</strong>: {reason}
          </li>
        ))}
      </ul>
      {wanted.length > 0 && (
        <div class="fields">
          {[...new Set(wanted)].map((folder) => (
            <>
              <label for={`${id}-${folder}`}>Path of {folder}</label>
              <input
                id={`${id}-${folder}`}
                required
                value={folders[folder] ?? ""}
                onInput={({ currentTarget: { value } }) => setFolders({ ...folders, [folder]: value })}
              />
            </>
          ))}
        </div>
      )}
      <p class="quiet">
        Versions that wait for this start at once; a process that runs has it from its next start.
      </p>
    </Confirmation>
  );
}

function RevokeDialog({ name, close }: { name: string; close(): void }) {
  const host = useHost();
  const act = async (): Promise<void> => {
    await host.call("PUT /api/plugins/:plugin/grants", { params: { plugin: name }, body: {} });
    toastSuccess(`${name} has only what the configuration grants.`);
  };
  return (
    <Confirmation
      title={`Revoke what ${name} is granted?`}
      action="Revoke"
      kind="danger"
      act={act}
      close={close}
    >
      <p>Versions that need it stop serving. What the configuration of the host grants stays.</p>
    </Confirmation>
  );
}

function granted(grants: Grants, remark: string): Permission[] {
  return Object.entries(grants).flatMap(([permission, value]) => {
    if (value === false) return [];
    const values =
      value === true
        ? [undefined]
        : Array.isArray(value)
          ? value
          : Object.entries(value).map(([folder, path]) => `${folder}: ${path}`);
    return values.map((each) => ({ permission, value: each, remark, isMissing: false }));
  });
}
