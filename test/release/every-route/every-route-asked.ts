/** A question with what has to be true of its answer. */
import type { Route } from "./every-route-document.js";
import type { Question } from "./every-route-socket.js";

/** What a question is about, and how it may end beside what its route declares. */
export interface Asked extends Question {
  route?: Route;
  /** Statuses beyond those that the route declares. */
  also?: readonly number[];
  /** The only statuses that are right. */
  only?: readonly number[];
  /** Where every violation of a 400 has to be; it has to be one. */
  wrongAt?: string;
  /** The connection may end without an answer. */
  mayClose?: true;
}

/** What has to be known of a running host to ask it something. */
export interface Known {
  key: string;
  /** Its project never changes. */
  sessionId: string;
  /** Its project may be replaced. */
  otherSessionId: string;
  /** Of a template that there is. */
  templateKey: string;
}

/** As it stands in an address; halves of characters are sent as the bytes that stand for "no character". */
export function percent(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
}
