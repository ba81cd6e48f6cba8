import { useEffect, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { Failure } from "../parts/notice.js";
import { PdfPages } from "./pdf-pages.js";
import { PdfView } from "./pdf-view.js";

/** The pages of a PDF file. */
export default function PdfFile({ address }: { address: string }) {
  const [failure, setFailure] = useState<Error>();
  const [view] = useState(
    () => new PdfView({ changed: () => undefined, failed: (error) => setFailure(asError(error)) }),
  );
  useEffect(() => () => view.close(), [view]);
  useEffect(() => {
    const given = new AbortController();
    const { signal } = given;
    fetch(address, { signal })
      .then(async (response) => view.show(await response.arrayBuffer(), signal))
      .catch((error: unknown) => {
        if (!signal.aborted) setFailure(asError(error));
      });
    return () => given.abort();
  }, [view, address]);
  return (
    <>
      {failure !== undefined && <Failure error={failure} />}
      <div class="file-pdf">
        <PdfPages view={view} />
      </div>
    </>
  );
}
