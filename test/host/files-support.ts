/** The settings of generated files for tests that make a store of their own. */

const megabyte = 1024 * 1024;

export interface FilesSettings {
  lifetime: number;
  minimumLifetime: number;
  maximumBytes: number;
  minimumFree: number;
}

/** A lifetime of a minute, and as configured; what is undefined is as by default. */
export function filesConfiguration(
  settings: { [Name in keyof FilesSettings]?: number | undefined } = {},
): FilesSettings {
  const {
    lifetime = 60_000,
    minimumLifetime = 600_000,
    maximumBytes = 20 * 1024 * megabyte,
    minimumFree = 256 * megabyte,
  } = settings;
  return { lifetime, minimumLifetime, maximumBytes, minimumFree };
}
