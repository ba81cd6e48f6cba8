import { checked, Validator } from "@slipway/sdk";
import { StatusAnswer } from "../api/status-answer.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const checkStatus = new Validator().compile(StatusAnswer, "answer");

/** How a host is doing. */
export async function hostStatus(host: HostClient): Promise<StatusAnswer> {
  return checked(checkStatus(await host.json("/api/status")), unknownAnswer);
}
