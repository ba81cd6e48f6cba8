export { type Facts, type StepDetails, untraced, type Work } from "@slipway/sdk/runtime/host";
