import { basename } from "node:path";

/** Where the folders lie is nothing for clients; the log has it. */
export function withoutPlace<State extends { folder: string }>(state: State): State {
  return { ...state, folder: basename(state.folder) };
}
