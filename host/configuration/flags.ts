/** Settings with their own flag and short environment variable. */

export interface Flag {
  /** In commander syntax. */
  flags: string;
  /** Name of the option's value. */
  option: string;
  variable: string;
  path: readonly string[];
  description: string;
  /** Whether it may be repeated. */
  repeatable?: true;
}

export const flags: readonly Flag[] = [
  {
    flags: "--host <address>",
    option: "host",
    variable: "SLIPWAY_HOST",
    path: ["host"],
    description: "address to listen on",
  },
  {
    flags: "--port <number>",
    option: "port",
    variable: "SLIPWAY_PORT",
    path: ["port"],
    description: "port to listen on; 0 picks a free one",
  },
  {
    flags: "--public-url <url>",
    option: "publicUrl",
    variable: "SLIPWAY_PUBLIC_URL",
    path: ["publicUrl"],
    description: "public URL of the host, if behind a proxy",
  },
  {
    flags: "--var <folder>",
    option: "var",
    variable: "SLIPWAY_VAR",
    path: ["var"],
    description: "folder of all files written at run time",
  },
  {
    flags: "--plugins <folder>",
    option: "plugins",
    variable: "SLIPWAY_PLUGINS",
    path: ["folders", "plugins"],
    description: "drop-in folder of plugins; may be repeated",
    repeatable: true,
  },
  {
    flags: "--templates <folder>",
    option: "templates",
    variable: "SLIPWAY_TEMPLATES",
    path: ["folders", "templates"],
    description: "drop-in folder of templates; may be repeated",
    repeatable: true,
  },
  {
    flags: "--log-level <level>",
    option: "logLevel",
    variable: "SLIPWAY_LOG_LEVEL",
    path: ["log", "level"],
    description: "debug, info, warn, error or silent",
  },
];
