import type { ProjectDocument } from "../project/document.js";

/** An open session as a handler sees it. */
export interface Session {
  /** UUID. */
  readonly id: string;
  /** Such as "de_DE". */
  readonly locale: string;
  /** Grows with every replacement of the project. */
  readonly revision: number;
  /** The project, frozen; read from the store once per revision and kept. */
  project(): Promise<ProjectDocument>;
  /** The bytes of an asset of the project by its key, or undefined when there is none. */
  asset(key: string): Promise<Uint8Array | undefined>;
}
