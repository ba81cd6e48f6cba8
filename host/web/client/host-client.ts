import { RefusedRequest } from "../../preview/failure.js";
import { HostRequests } from "../../preview/host-requests.js";
import type { Access, HostError } from "./answers.js";
import { Connection } from "./connection.js";
import { Observed } from "./observed.js";

const place = "slipway-key";

/** The key that the page sends; it lasts as long as the tab. */
const signInKey = {
  read: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
  keep: (key: string): void => sessionStorage.setItem(place, key),
  forget: (): void => sessionStorage.removeItem(place),
};

/** What a gateway answers with for a host that is not there, and a host that is about to go. */
const absent = new Set([502, 503, 504]);

/** The API of the host, with the key that somebody signed in with. */
export class HostClient extends HostRequests {
  readonly connection = new Connection(() => this.isThere());
  /** Undefined until the host has said it. */
  readonly access = new Observed<Access | undefined>(undefined);
  /** Why the key does not count; undefined where it does or none was given. */
  readonly keyProblem = new Observed<string | undefined>(undefined);
  /** Why it is not known yet what the page may do. */
  readonly startProblem = new Observed<Error | undefined>(undefined);
  private key = signInKey.read();

  get hasKey(): boolean {
    return this.key !== undefined;
  }

  /** Asks what this page may do, as soon as the host answers. A key that does not count is taken note of. */
  async begin(): Promise<void> {
    for (;;) {
      try {
        return await this.learnAccess();
      } catch (error) {
        if (!(error instanceof RefusedRequest)) throw error;
        this.startProblem.set(error);
        if (this.connection.away.value === undefined) return;
        await this.connection.present();
      }
    }
  }

  private async learnAccess(): Promise<void> {
    this.access.set(await this.get<Access>("api/access"));
    this.startProblem.set(undefined);
  }

  /** Takes a key, if the host knows it. Rejects with a `RefusedRequest`. */
  async signIn(key: string): Promise<void> {
    // A header cannot have it, so it is none.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new RefusedRequest({ id: "request-unauthorized", code: 401, message: "That is not a key." });
    const before = this.key;
    this.key = key;
    try {
      await this.learnAccess();
    } catch (error) {
      this.key = before;
      throw error;
    }
    this.keyProblem.set(undefined);
    signInKey.keep(key);
  }

  /** Forgets the key and all that was seen with it. */
  signOut(): void {
    signInKey.forget();
    location.reload();
  }

  /** Of the key, where there is one. */
  override headers(): Record<string, string> {
    return this.key === undefined ? {} : { Authorization: `Bearer ${this.key}` };
  }

  override refused(status: number, error: HostError): RefusedRequest {
    if (status === 401) this.lostAccess(error.message);
    return super.refused(status, error);
  }

  protected override noteAnswer(status: number | undefined): void {
    if (status === undefined) this.connection.lost();
    else if (!absent.has(status)) this.connection.answered();
  }

  private async isThere(): Promise<boolean> {
    const response = await fetch(this.address("api/access"), { headers: this.headers() }).catch(
      () => undefined,
    );
    return response !== undefined && !absent.has(response.status);
  }

  private lostAccess(message: string): void {
    if (this.hasKey) this.keyProblem.set(message);
    this.access.set({ required: true, roles: [] });
  }
}
