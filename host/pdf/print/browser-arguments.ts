import { statfsSync } from "node:fs";

export interface LaunchOptions {
  executable: string;
  /** Further environment variables, such as library paths. */
  environment: Record<string, string>;
  profile: string;
  fontConfiguration: string;
  /** Port of the proxy on 127.0.0.1: the browser's only way out. */
  proxyPort: number;
  sandbox: "auto" | "on" | "off";
}

const sharedMemoryNeeded = 256 * 1024 ** 2;

/** What no document needs. Those of the interface of a full browser would take 55 MiB and a process of their own. */
const unusedFeatures = [
  "Translate",
  "OptimizationHints",
  "MediaRouter",
  "SpareRendererForSitePerProcess",
  "PreloadTopChromeWebUI",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** The command line of the browser. */
export function browserArguments(options: LaunchOptions): string[] {
  const withoutSandbox =
    options.sandbox === "off" || (options.sandbox === "auto" && process.getuid?.() === 0);
  return [
    "--headless",
    "--remote-debugging-pipe",
    `--user-data-dir=${options.profile}`,
    // Everything goes to our proxy, loopback included; names are never resolved, nothing goes around it by UDP.
    `--proxy-server=http://127.0.0.1:${options.proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    // A page in the background is still printed at full speed.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    `--disable-features=${unusedFeatures.join(",")}`,
    "--disable-gpu",
    // One process less, which would run without a sandbox.
    "--enable-features=NetworkServiceInProcess2",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-startup-window",
    // More than the number of pages, so that each page has its own process, however little memory the machine has.
    "--renderer-process-limit=200",
    "--password-store=basic",
    "--use-mock-keychain",
    ...(withoutSandbox ? ["--no-sandbox"] : []),
    ...(smallSharedMemory() ? ["--disable-dev-shm-usage"] : []),
  ];
}

/**
 * Bytes. A full Chromium creates a folder with a socket below the temporary folder and does not start where the path
 * of that socket has more than the 107 bytes that systems allow.
 */
const longestTemporaryFolder = 60;

/** The environment of the browser: nothing of the host's own, in which secrets may be. */
export function browserEnvironment(options: LaunchOptions): NodeJS.ProcessEnv {
  const kept = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SystemRoot", "LD_LIBRARY_PATH"];
  const inherited = Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  if (Buffer.byteLength(inherited["TMPDIR"] ?? "") > longestTemporaryFolder) delete inherited["TMPDIR"];
  return {
    ...inherited,
    HOME: options.profile,
    XDG_CONFIG_HOME: options.profile,
    XDG_CACHE_HOME: options.profile,
    FONTCONFIG_FILE: options.fontConfiguration,
    ...options.environment,
  };
}

/** Containers often have 64 MB of shared memory, too little for large pages. */
function smallSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize < sharedMemoryNeeded;
  } catch {
    return true; // there is no /dev/shm
  }
}
