/** Documents are loaded from names below this one, which lead nowhere outside of the host's own browser. */
export const internalDomain = "slipway.internal";
