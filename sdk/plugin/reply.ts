/** Responses of routes that are not JSON. */
import type { StoredFile } from "./stored-file.js";

/** Plain text. */
export interface TextResponse {
  /** The body, sent as UTF-8. */
  readonly text: string;
}

/** A response that is not JSON. Objects that merely look like one are JSON. */
export abstract class Reply {
  /** Distinguishes the type from those of JSON objects. */
  protected readonly isReply = true;
}

/** The result of `text`. */
export class PlainText extends Reply implements TextResponse {
  /** The body, sent as UTF-8. */
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** The result of `reply.html`. */
export class HtmlPage extends Reply {
  /** The page, sent as UTF-8. */
  readonly html: string;

  constructor(html: string) {
    super();
    this.html = html;
  }
}

/** The result of `reply.file`. */
export class FileReply extends Reply {
  /** The id of the stored file. */
  readonly file: string;

  constructor(file: string) {
    super();
    this.file = file;
  }
}

/** The result of `reply.redirect`. */
export class Redirect extends Reply {
  /** An `http` or `https` address, or one relative to that of the request. */
  readonly location: string;

  constructor(location: string) {
    super();
    this.location = location;
  }
}

/** Responds with `text/plain` instead of JSON. */
export function text(value: string): PlainText {
  return new PlainText(value);
}

/** Responses other than JSON. They cannot list suppressed errors, which only the log has. */
export const reply = {
  /** Responds with `text/plain`. */
  text,
  /**
   * Responds with an HTML page. Browsers show it in a sandbox: it has its own styles and embedded pictures (`data:`), but
   * no scripts, forms or content of other addresses.
   */
  html: (page: string): HtmlPage => new HtmlPage(page),
  /**
   * Responds with the bytes of a file that this request created with `host.files` or `host.pdf`, or that a service it
   * called created. Any other file is 500. Ranges, caching and headers are those of the file's own URL.
   */
  file: ({ id }: Pick<StoredFile, "id">): FileReply => new FileReply(id),
  /**
   * Responds with 303 and another address, which the client requests with GET: `http`, `https`, or relative to the
   * address of this request. Throws a `TypeError` for any other one.
   */
  redirect(location: string): Redirect {
    if (!isRedirectTarget(location))
      throw new TypeError(
        `reply.redirect: expected an http or https address, or a relative one, of at most 2,000 ASCII characters without blanks, received ${JSON.stringify(location.slice(0, 100))}`,
      );
    return new Redirect(location);
  },
};

/** Whether a client may be sent to an address. */
export function isRedirectTarget(location: string): boolean {
  if (!/^[\x21-\x7e]{1,2000}$/.test(location) || !URL.canParse(location, "http://localhost/")) return false;
  return ["http:", "https:"].includes(new URL(location, "http://localhost/").protocol);
}
