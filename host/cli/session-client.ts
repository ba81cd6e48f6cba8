import { checked, Validator } from "@slipway/sdk";
import { SessionList } from "../api/answers.js";
import { printable } from "../system/terminal-text.js";
import { didYouMean } from "./did-you-mean.js";
import { type HostClient, unknownAnswer } from "./host-client.js";
import { WrongUse } from "./wrong-use.js";

const checkSessions = new Validator().compile(SessionList, "answer");

/** Of these the beginning of an id has at least so many characters. */
const shortest = 8;
const whole = 36;

/** What ids end with that a key may not know. */
const shortened = "…";

/** Sessions of a running host, for admins. */
export class SessionClient {
  constructor(private readonly host: HostClient) {}

  async list(): Promise<SessionList> {
    return checked(checkSessions(await this.host.json("/api/sessions")), unknownAnswer);
  }

  /** Closes one session, named by its id or by a beginning of it that no other one has; gives the id. */
  async close(beginning: string): Promise<string> {
    const id = await this.idOf(beginning.trim().toLowerCase());
    await this.host.done(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
    return id;
  }

  private async idOf(beginning: string): Promise<string> {
    if (beginning.length < shortest)
      throw new WrongUse(
        `"${printable(beginning)}" is too short: an id needs its first ${shortest} characters.`,
      );
    if (beginning.length >= whole) return beginning;
    const ids = (await this.list()).sessions.map(({ sessionId }) => sessionId);
    const [found, another] = ids.filter((id) => id.startsWith(beginning));
    if (found === undefined) {
      const beginnings = ids.map((id) => id.slice(0, shortest));
      throw new Error(
        `No session begins with "${printable(beginning)}".${didYouMean(beginning, beginnings)}`,
      );
    }
    if (another !== undefined)
      throw new Error(`More than one session begins with "${printable(beginning)}"; name more of its id.`);
    if (found.endsWith(shortened))
      throw new Error('Closing a session needs a key with the role "sessions", or no keys at all.');
    return found;
  }
}
