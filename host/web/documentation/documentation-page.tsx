import { useEffect, useRef, useState } from "preact/hooks";
import { errorMessage } from "../../system/errors.js";
import { signInKey } from "../client/host-client.js";
import { requestLine } from "../client/operations.js";
import { ThemeSwitch } from "../parts/theme.js";

const lookEvery = 10_000;

/** The API documentation: Swagger UI, with a choice of release and a key for its requests. */
export default function DocumentationPage() {
  const [described, setDescribed] = useState<DescribedHost>();
  const [release, setRelease] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const drawing = useDrawing(release, (now) => {
    setDescribed(now);
    setRelease((before) =>
      before !== undefined && now.releases.includes(before) ? before : now.defaultRelease,
    );
    setNotice(`Plugins have changed; this is what answers since ${new Date().toLocaleTimeString()}.`);
  });

  useEffect(() => {
    const wanted = new URLSearchParams(location.search).get("release");
    describedHost().then(
      (now) => {
        document.title = `API – Slipway at ${location.host}`;
        setDescribed(now);
        setRelease(wanted !== null && now.releases.includes(wanted) ? wanted : now.defaultRelease);
      },
      (error: unknown) => setNotice(errorMessage(error)),
    );
  }, []);

  const { version, releases = [], defaultRelease = "" } = described ?? {};
  return (
    <div class="docs">
      <header class="bar">
        <h1>Slipway {version !== undefined && <small>{`${version} at ${location.host}`}</small>}</h1>
        <label>
          Release{" "}
          <select id="release" value={release} onChange={(event) => setRelease(event.currentTarget.value)}>
            {[...new Set([defaultRelease, ...releases])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <KeyForm changed={drawing.useKey} />
        <a href="../openapi.json">openapi.json</a>
        <ThemeSwitch />
      </header>
      <p
        id="notice"
        class="bar-notice"
        role="status"
        hidden={notice === undefined && drawing.problem === undefined}
      >
        {drawing.problem ?? notice}
      </p>
      <main id="main" tabIndex={-1}>
        <div ref={drawing.place} />
      </main>
    </div>
  );
}

/** Form for the key of this page's requests; all pages share the key. */
function KeyForm({ changed }: { changed(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isKept, setIsKept] = useState(signInKey.read() !== undefined);
  const take = (): void => {
    const key = field.current?.value.trim() ?? "";
    if (key === "") signInKey.forget();
    else signInKey.keep(key);
    if (field.current !== null) field.current.value = "";
    setIsKept(key !== "");
    changed();
  };
  return (
    <form
      id="access"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <label>
        API key{" "}
        <input
          ref={field}
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="where one is asked for"
        />
      </label>
      <button type="submit" class="button">
        Use
      </button>
      <output id="said">{isKept && "Sent with each request."}</output>
    </form>
  );
}

/** Renders the description of a release, again after each change. Calls `changed` then. */
function useDrawing(release: string | undefined, changed: (now: DescribedHost) => void) {
  const place = useRef<HTMLDivElement>(null);
  const ui = useRef<Promise<SwaggerUi>>(undefined);
  const hasKey = useRef(false);
  const [problem, setProblem] = useState<string>();

  const useKey = async (): Promise<void> => {
    const { preauthorizeApiKey, authActions } = (await ui.current) ?? {};
    const key = signInKey.read();
    if (key !== undefined) preauthorizeApiKey?.("apiKey", key);
    else if (hasKey.current) authActions?.logout(["apiKey"]);
    hasKey.current = key !== undefined;
  };

  useEffect(() => {
    if (release === undefined || place.current === null) return;
    const root = place.current;
    let isCurrent = true;
    let mark: string | undefined;
    const draw = async (): Promise<void> => {
      const address = descriptionAddress(release);
      mark = await markOf(release);
      if (!isCurrent) return;
      history.replaceState(undefined, "", `?${new URLSearchParams({ release })}${location.hash}`);
      if (ui.current === undefined) {
        ui.current = swaggerUi(root, address, () => void useKey());
        await ui.current;
        return;
      }
      const { specActions } = await ui.current;
      specActions.updateUrl(address);
      specActions.download(address);
    };
    const look = async (): Promise<void> => {
      if ((await markOf(release)) === mark || !isCurrent) return;
      // The host is unreachable, or lacks this release.
      const now = await describedHost().catch(() => undefined);
      if (now === undefined || !isCurrent) return;
      await draw();
      changed(now);
    };
    const drawn = draw().catch((error: unknown) => setProblem(errorMessage(error)));
    const lookNow = (): void => void drawn.then(look);
    addEventListener("focus", lookNow);
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") lookNow();
    }, lookEvery);
    return () => {
      isCurrent = false;
      removeEventListener("focus", lookNow);
      clearInterval(timer);
    };
  }, [release]);

  return { place, problem, useKey: () => void useKey() };
}

/** The members of the description that the page needs. */
interface DescribedHost {
  version: string;
  releases: string[];
  defaultRelease: string;
}

/** The address of the description of a release, or of all. */
function descriptionAddress(release?: string): string {
  const query = release === undefined ? {} : { query: { release } };
  return `../${requestLine("GET /openapi.json", query)[1]}`;
}

/** Loads the description, which needs no key. Rejects with a readable error. */
async function describedHost(): Promise<DescribedHost> {
  const answer = await fetch(descriptionAddress(), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`The host answered with status ${answer.status}.`);
  const { info }: { info: { version: string; "x-slipway": Omit<DescribedHost, "version"> } } =
    await answer.json();
  return { version: info.version, ...info["x-slipway"] };
}

/** A fingerprint of the description; undefined if the host is unreachable or the description is gone. */
async function markOf(release: string): Promise<string | undefined> {
  const init = { method: "HEAD", cache: "no-store" } as const;
  const answer = await fetch(descriptionAddress(release), init).catch(() => undefined);
  return answer?.ok ? (answer.headers.get("ETag") ?? undefined) : undefined;
}

/** The API of Swagger UI that the page uses. It is loaded as a separate script and style sheet. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  authActions: { logout(schemes: string[]): void };
  specActions: { updateUrl(url: string): void; download(url: string): void };
}

interface SwaggerUiOptions {
  domNode: Element;
  url: string;
  deepLinking: boolean;
  docExpansion: "list";
  defaultModelsExpandDepth: number;
  /** Null disables the external validator. */
  validatorUrl: null;
  onComplete(): void;
}

declare global {
  function SwaggerUIBundle(options: SwaggerUiOptions): SwaggerUi;
}

/** Renders the description at `url`; calls `drawn` after each load. */
async function swaggerUi(domNode: Element, url: string, drawn: () => void): Promise<SwaggerUi> {
  const [style, script] = [document.createElement("link"), document.createElement("script")];
  style.rel = "stylesheet";
  style.href = "swagger-ui/swagger-ui.css";
  script.src = "swagger-ui/swagger-ui-bundle.js";
  await Promise.all([style, script].map(inPage));
  return SwaggerUIBundle({
    domNode,
    url,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    onComplete: drawn,
  });
}

function inPage(element: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error("A part of the page cannot be loaded.")));
    document.head.append(element);
  });
}
