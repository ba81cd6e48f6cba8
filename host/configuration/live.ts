/**
 * Marks a setting, or a group, in its schema as live: changes are in force without a restart.
 *
 * A part of the host must keep the object that it was given (its group of the configuration, or all of it) and read the
 * setting at every use, because changed values are written to that object. A part that stores a derived value, such as
 * a server's own limit, is updated in `reconfigure` of `host.ts`. Related settings are read together, without an
 * `await` in between.
 */
export const live = { live: true } as const;
