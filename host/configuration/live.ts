/**
 * Stands beside a setting, or a group of settings, in its schema: a changed value is in force without a restart of the host.
 *
 * What a part of the host has to do for it: keep the object that it was given (its group of the configuration, or all of
 * it) and read the setting at every use, because changed values are put into that very object. A part that keeps
 * something made of the value, such as a server's own limit, is told in `reconfigure` of `host.ts`. Settings that belong
 * to each other are read together and not over an `await`.
 */
export const live = { live: true } as const;
