import type { ProjectDocument } from "../project/document.js";

/** How a session is opened. */
export interface TestSessionOptions {
  /** Such as "de_DE"; default "en", as at a host without settings. */
  locale?: string;
}

/** An open session; handlers get it when a request names its id as `sessionId`. */
export interface TestSession {
  /** UUID. */
  readonly id: string;
  /** Such as "de_DE". */
  readonly locale: string;
  /** 1, and one more with each replacement. */
  readonly revision: number;
  /**
   * Replaces the project, as a client does that has changed it. Rejects as `openSession` does; the project then stays.
   * Pictures that the session holds may come by their SHA-256 only.
   */
  replace(project: ProjectDocument | Uint8Array): Promise<void>;
  /** Ends it; requests that name it get 422 `request-session-not-found`. */
  close(): void;
}
