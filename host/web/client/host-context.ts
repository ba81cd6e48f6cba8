import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Role } from "./answers.js";
import { HostClient } from "./host-client.js";
import { useObserved } from "./observed.js";

/** The page lies one level below the host's root, whatever a proxy has in front of it. */
export const host = new HostClient(new URL("../", location.href.split(/[?#]/, 1).join("")));

const HostContext = createContext(host);

/** The host that this page belongs to. */
export function useHost(): HostClient {
  return useContext(HostContext);
}

/** Whether the key allows something; without an answer of the host so far it does not. */
export function useMay(role: Role): boolean {
  const access = useObserved(useHost().access);
  if (access === undefined) return false;
  return access.roles.includes(role) || (role === "read" && access.roles.includes("operate"));
}
