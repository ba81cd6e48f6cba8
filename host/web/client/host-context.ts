import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { HostClient } from "./host-client.js";
import { useObserved } from "./observed.js";
import type { Role } from "./operations.js";

/** Every page is one level below the host's root, whatever prefix a proxy adds. */
export const host = new HostClient(new URL("../", location.href.split(/[?#]/, 1).join("")));

const HostContext = createContext(host);

/** The host that this page belongs to. */
export function useHost(): HostClient {
  return useContext(HostContext);
}

/** Whether the person is or was signed in: the page then stays behind the dialog for the key, with its input. */
export function useWasSignedIn(): boolean {
  const access = useObserved(useHost().access);
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const isIn = access !== undefined && access.roles.length > 0;
  if (isIn && !wasSignedIn) setWasSignedIn(true);
  return isIn || wasSignedIn;
}

/** Whether the key has one of some roles; false until the host has responded. */
export function useMay(...roles: Role[]): boolean {
  const access = useObserved(useHost().access);
  if (access === undefined) return false;
  return roles.some(
    (role) => access.roles.includes(role) || (role === "read" && access.roles.includes("operate")),
  );
}
