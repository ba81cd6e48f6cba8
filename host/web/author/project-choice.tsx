import { useState } from "preact/hooks";
import type { ListedSession } from "../client/answers.js";
import { useAnswer } from "../client/use-answer.js";
import { ProjectFileButton, ProjectSelect, useOpenProject } from "../parts/project.js";
import type { Action } from "../parts/use-action.js";

/** The open projects, and the one that requests are sent with. */
export interface Project {
  sessions: readonly ListedSession[];
  session: ListedSession | undefined;
  choose(id: string): void;
  /** Opens a project file and chooses it. */
  opening: Action<[File]>;
}

/** Follows the sessions, of which `sample` is chosen first. */
export function useProject(sample: string | undefined): Project {
  const { value, refresh } = useAnswer("GET /api/sessions", {});
  const [chosen, choose] = useState<string>();
  const sessions = value?.sessions ?? [];
  const session = sessions.find(({ sessionId }) => sessionId === (chosen ?? sample)) ?? sessions.at(-1);
  const opening = useOpenProject(({ sessionId }) => {
    choose(sessionId);
    refresh();
  });
  return { sessions, session, choose, opening };
}

/** A list of the open projects, and a way to open others. */
export function ProjectChoice({ project }: { project: Project }) {
  const { sessions, session, choose, opening } = project;
  return (
    <div class="project">
      <ProjectSelect sessions={sessions} chosen={session} choose={choose} />
      <ProjectFileButton
        text="Open …"
        label="Open a project file"
        isBusy={opening.isBusy}
        open={opening.run}
      />
    </div>
  );
}
