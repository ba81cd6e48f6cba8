import { basename } from "node:path";

/** Removes the path of the folder, which only the log shows. */
export function withoutPlace<State extends { folder: string }>(state: State): State {
  return { ...state, folder: basename(state.folder) };
}
