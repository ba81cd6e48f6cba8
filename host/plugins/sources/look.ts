/** What a look at a place is about. */
export interface PlaceLook {
  /** At everything, or at what may have come to something new. */
  full: boolean;
  /** Somebody wants it: what the host failed to do is tried again. */
  asked: boolean;
  /** It is the first one of the host at this place: what has been quiet for long counts as complete. */
  starting: boolean;
}

/** A look at all places of a folder. */
export interface FolderLook extends PlaceLook {
  /** Paths without symbolic links at which something happened. */
  woken: readonly string[];
}
