/** Creates new plugins, for `slipway plugin new` and `npm create slipway-plugin`. */
export * from "./create-plugin.js";
export * from "./new-plugin.js";
export * from "./next-steps.js";
