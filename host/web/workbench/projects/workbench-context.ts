import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { host } from "../../client/host-context.js";
import { Workbench } from "./workbench.js";

const WorkbenchContext = createContext(new Workbench(host));

/** The workbench of this tab of the browser. */
export function useWorkbench(): Workbench {
  return useContext(WorkbenchContext);
}
