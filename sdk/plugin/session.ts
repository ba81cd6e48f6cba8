import type { ProjectDocument } from "../project/document.js";

/** An open session, for handlers. */
export interface Session {
  /** UUID. */
  readonly id: string;
  /** For example "de_DE". */
  readonly locale: string;
  /** Increases with every replacement of the project. */
  readonly revision: number;
  /** The project, frozen; read from the store once per revision and cached. */
  project(): Promise<ProjectDocument>;
  /** The bytes of a project asset by its key; undefined if there is none. */
  asset(key: string): Promise<Uint8Array | undefined>;
}
