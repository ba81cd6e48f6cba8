/** What plugins read of open sessions. */
export interface SessionContents {
  /** JSON bytes of the project at a revision. */
  project(id: string, revision: number): Promise<Uint8Array | undefined>;
  asset(id: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Whether `asset` would find it, without reading it. */
  hasAsset(id: string, sha256: string): Promise<boolean>;
}
