import { useCallback, useId, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import type { ListedSession } from "../client/answers.js";
import { useHost } from "../client/host-context.js";
import { openSession } from "../client/sessions.js";
import { useAnswer } from "../client/use-answer.js";
import { ProjectFileButton, useFileDrop } from "../parts/project-file-button.js";

/** The open projects, and the one that requests are sent with. */
export interface Project {
  sessions: readonly ListedSession[];
  session: ListedSession | undefined;
  choose(id: string): void;
  /** Opens a project file and chooses it. */
  open(file: File): void;
  isBusy: boolean;
  /** Somebody holds a file over the page. */
  isOver: boolean;
  failure: Error | undefined;
}

/** Follows the sessions, of which `sample` is chosen first; files that are dropped on the page are opened. */
export function useProject(sample: string | undefined): Project {
  const host = useHost();
  const { value, refresh } = useAnswer("GET /api/sessions", {});
  const [chosen, choose] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const sessions = value?.sessions ?? [];
  const session = sessions.find(({ sessionId }) => sessionId === (chosen ?? sample)) ?? sessions.at(-1);

  const open = useCallback(
    (file: File): void => {
      setIsBusy(true);
      setFailure(undefined);
      openSession(host, file)
        .then(({ sessionId }) => {
          choose(sessionId);
          refresh();
        })
        .catch((error: unknown) => setFailure(asError(error)))
        .finally(() => setIsBusy(false));
    },
    [host, refresh],
  );
  const take = useCallback(
    ([file]: File[]): void => {
      if (file !== undefined) open(file);
    },
    [open],
  );
  const isOver = useFileDrop(true, take);
  return { sessions, session, choose, open, isBusy, isOver, failure };
}

/** A list of the open projects, and a way to open others. */
export function ProjectChoice({ project }: { project: Project }) {
  const { sessions, session, choose, open, isBusy } = project;
  const id = useId();
  return (
    <div class="project">
      <label for={id}>Project</label>
      <select id={id} value={session?.sessionId} onChange={(event) => choose(event.currentTarget.value)}>
        {sessions.map((each) => (
          <option key={each.sessionId} value={each.sessionId}>
            {each.project.name || "Without a name"} · {each.locale} · {each.sessionId.slice(0, 8)}
          </option>
        ))}
      </select>
      <ProjectFileButton text="Open …" label="Open a project file" isBusy={isBusy} open={open} />
    </div>
  );
}
