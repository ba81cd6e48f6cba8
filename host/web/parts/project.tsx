import { useCallback, useEffect, useState } from "preact/hooks";
import { useHost } from "../client/host-context.js";
import type { AnswerOf, ListedSession } from "../client/operations.js";
import { openSession } from "../client/sessions.js";
import { Icon } from "./button.js";
import { FileButton } from "./file-button.js";
import { Failure } from "./notice.js";
import { type Action, useAction } from "./use-action.js";

/** Endings of project files. */
export const projectFiles = ".obk,.obx,.json,.pdf";

/** Select for one of the open projects. */
export function ProjectSelect(properties: {
  sessions: readonly ListedSession[];
  chosen: ListedSession | undefined;
  choose(sessionId: string): void;
}) {
  const { sessions, chosen, choose } = properties;
  return (
    <label class="check">
      Project
      <select value={chosen?.sessionId} onChange={(event) => choose(event.currentTarget.value)}>
        {sessions.map(({ sessionId, locale, project }) => (
          <option key={sessionId} value={sessionId}>
            {project.name || "Without a name"} · {locale} · {sessionId.slice(0, 8)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Opens a session with a project file. */
export function useOpenProject(opened: (session: AnswerOf<"POST /api/sessions">) => void): Action<[File]> {
  const host = useHost();
  return useAction(async (file: File) => opened(await openSession(host, file)));
}

/** A button that opens a session with a project file, and shows failures. */
export function OpenProject(properties: {
  text: string;
  /** Whether files can also be dropped on the page. */
  takesDrops?: boolean;
  opened(session: AnswerOf<"POST /api/sessions">): void;
}) {
  const { text, takesDrops = false, opened } = properties;
  const { run, isBusy, failure } = useOpenProject(opened);
  return (
    <>
      <ProjectFileButton text={text} isBusy={isBusy} open={run} />
      {failure !== undefined && <Failure error={failure} />}
      {takesDrops && <ProjectDrop open={run} />}
    </>
  );
}

/** Opens a project file that is dropped anywhere on the page. */
export function ProjectDrop({ open }: { open(file: File): void }) {
  const take = useCallback(([file]: File[]): void => {
    if (file !== undefined) open(file);
  }, []);
  return useFileDrop(true, take) ? <DropHint text="Drop the project to open it" /> : null;
}

/** Overlay while a file is dragged over the page. */
export function DropHint({ text, isAllowed = true }: { text: string; isAllowed?: boolean }) {
  return (
    <div class="drop-hint" data-tone={isAllowed ? "good" : "wrong"}>
      <p>
        <Icon name={isAllowed ? "upload" : "wrong"} />
        {text}
      </p>
    </div>
  );
}

/** A button that chooses a project file. */
export function ProjectFileButton(properties: {
  /** What it says. */
  text: string;
  /** Accessible name, if the text is not enough. */
  label?: string;
  isBusy: boolean;
  open(file: File): void;
}) {
  const { text, label, isBusy, open } = properties;
  return (
    <FileButton
      icon="upload"
      {...(label !== undefined && { label })}
      accept={projectFiles}
      take={([file]) => open(file)}
    >
      {isBusy ? "Opening …" : text}
    </FileButton>
  );
}

/** Receives files that are dropped on the page, if allowed. Returns whether files are dragged over it. */
export function useFileDrop(isAllowed: boolean, taken: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Otherwise the browser opens the file.
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isAllowed ? "copy" : "none";
      setIsOver(true);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      if (isAllowed) taken([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", drop);
    };
  }, [isAllowed, taken]);
  return isOver;
}
