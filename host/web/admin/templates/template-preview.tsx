import { useEffect, useId, useState } from "preact/hooks";
import { asError } from "../../../system/errors.js";
import type { ListedSession } from "../../client/answers.js";
import { useHost, useMay } from "../../client/host-context.js";
import { openSession } from "../../client/sessions.js";
import { useAnswer } from "../../client/use-answer.js";
import { lazy } from "../../parts/lazy.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, ViewHead } from "../../parts/panel.js";
import { ProjectFileButton } from "../../parts/project-file-button.js";
import { addressOf } from "../../parts/route.js";
import type { Shown } from "../../preview/address.js";
import { shortId } from "../sessions/session-table.js";

/** It comes with a library that draws PDFs. */
const Preview = lazy(() => import("../../preview/preview.js"));

/** The live preview of a template with the project of one of the open sessions. */
export function TemplatePreview({ name }: { name: string }) {
  const maySee = useMay("sessions");
  const { value, failure, refresh } = useAnswer(maySee ? "GET /api/sessions" : undefined, {});
  const [template, setTemplate] = useState(name);
  const [chosen, setChosen] = useState<string>();
  const sessions = value?.sessions;
  const session = sessions?.find(({ sessionId }) => sessionId === chosen);
  // The preview itself opens sessions, for other locales; the choice stays.
  const first = sessions?.[0]?.sessionId;
  useEffect(() => {
    if (session === undefined) setChosen(first);
  }, [session, first]);
  const remember = (shown: Shown): void => {
    const now = shown.template ?? name;
    history.replaceState(null, "", addressOf("templates", now));
    setTemplate(now);
  };
  const opened = (id: string): void => {
    setChosen(id);
    refresh();
  };
  return (
    <AccessNeeded roles={["sessions"]}>
      <ViewHead
        title={template}
        above={
          <p>
            <a href={addressOf("templates")}>Templates</a>
          </p>
        }
        text="The printed report of an open project, updated after each save"
        actions={
          <>
            {session !== undefined && sessions !== undefined && (
              <SessionChoice sessions={sessions} session={session} choose={setChosen} />
            )}
            <OpenProject opened={opened} />
          </>
        }
      />
      {failure !== undefined && sessions === undefined && <Failure error={failure} />}
      {sessions?.length === 0 && (
        <Empty icon="sessions" title="A preview needs a project">
          Open a project file (OBK, OBX or JSON); its session then lives as long as any other.
        </Empty>
      )}
      {session !== undefined && (
        <section key={session.sessionId} class="preview-frame" aria-label="Preview">
          <Preview
            session={session}
            shown={{
              session: undefined,
              template: name,
              locale: undefined,
              zoom: undefined,
              options: new Map(),
            }}
            remember={remember}
            isWholePage={false}
          />
        </section>
      )}
    </AccessNeeded>
  );
}

function SessionChoice(properties: {
  sessions: readonly ListedSession[];
  session: ListedSession;
  choose(id: string): void;
}) {
  const { sessions, session, choose } = properties;
  const id = useId();
  return (
    <label for={id} class="check">
      Project
      <select id={id} value={session.sessionId} onChange={(event) => choose(event.currentTarget.value)}>
        {sessions.map((each) => (
          <option key={each.sessionId} value={each.sessionId}>
            {each.project.name || "Without a name"} ({shortId(each)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Opens a session with a project file. */
function OpenProject({ opened }: { opened(id: string): void }) {
  const host = useHost();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const open = async (file: File): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      opened((await openSession(host, file)).sessionId);
    } catch (error) {
      setFailure(asError(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <ProjectFileButton text="Open a project …" isBusy={isBusy} open={(file) => void open(file)} />
      {failure !== undefined && <Failure error={failure} />}
    </>
  );
}
