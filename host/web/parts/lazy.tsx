import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { Failure } from "./notice.js";

/** A component that is loaded when it first renders: the default export of a module. */
export function lazy<Properties extends object>(
  load: () => Promise<{ default: ComponentType<Properties> }>,
): ComponentType<Properties> {
  let loaded: ComponentType<Properties> | undefined;
  return function Lazy(properties: Properties) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<Error>();
    useEffect(() => {
      if (Part !== undefined) return;
      load().then(
        (module) => {
          loaded = module.default;
          setPart(() => loaded);
        },
        (error: unknown) => setFailure(asError(error)),
      );
    }, []);
    if (failure !== undefined) return <Failure error={failure} />;
    return Part === undefined ? null : <Part {...properties} />;
  };
}
