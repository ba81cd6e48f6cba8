import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { HostClient } from "./host-client.js";
import { useObserved } from "./observed.js";
import type { Role } from "./operations.js";

/** Every page lies one level below the host's root, whatever a proxy has in front of it. */
export const host = new HostClient(new URL("../", location.href.split(/[?#]/, 1).join("")));

const HostContext = createContext(host);

/** The host that this page belongs to. */
export function useHost(): HostClient {
  return useContext(HostContext);
}

/** Whether somebody is signed in, or was: what they have typed stays behind the question for the key. */
export function useWasIn(): boolean {
  const access = useObserved(useHost().access);
  const [wasIn, setWasIn] = useState(false);
  const isIn = access !== undefined && access.roles.length > 0;
  if (isIn && !wasIn) setWasIn(true);
  return isIn || wasIn;
}

/** Whether the key allows something; without an answer of the host so far it does not. */
export function useMay(role: Role): boolean {
  const access = useObserved(useHost().access);
  if (access === undefined) return false;
  return access.roles.includes(role) || (role === "read" && access.roles.includes("operate"));
}
