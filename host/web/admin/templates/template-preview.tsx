import { useEffect, useState } from "preact/hooks";
import { useMay } from "../../client/host-context.js";
import { useAnswer } from "../../client/use-answer.js";
import { lazy } from "../../parts/lazy.js";
import { AccessNeeded, Failure } from "../../parts/notice.js";
import { Empty, ViewHead } from "../../parts/panel.js";
import { OpenProject, ProjectSelect } from "../../parts/project.js";
import { addressOf } from "../../parts/route.js";
import type { Shown } from "../../preview/address.js";

/** Loaded on demand: it needs the PDF library. */
const Preview = lazy(() => import("../../preview/preview.js"));

/** The live preview of a template with the project of one of the open sessions. */
export function TemplatePreview({ name }: { name: string }) {
  const canRead = useMay("sessions");
  const { value, failure, refresh } = useAnswer(canRead ? "GET /api/sessions" : undefined, {});
  const [template, setTemplate] = useState(name);
  const [chosen, setChosen] = useState<string>();
  const sessions = value?.sessions;
  const session = sessions?.find(({ sessionId }) => sessionId === chosen);
  // The preview opens sessions for other locales, which must not change the choice.
  const first = sessions?.[0]?.sessionId;
  useEffect(() => {
    if (session === undefined) setChosen(first);
  }, [session, first]);
  const remember = (shown: Shown): void => {
    const now = shown.template ?? name;
    history.replaceState(null, "", addressOf("templates", now));
    setTemplate(now);
  };
  const opened = ({ sessionId }: { sessionId: string }): void => {
    setChosen(sessionId);
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
              <ProjectSelect sessions={sessions} chosen={session} choose={setChosen} />
            )}
            <OpenProject text="Open a project …" opened={opened} />
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
              embed: undefined,
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
