import type { HostClient } from "./host-client.js";

/** Sessions with the project of one session and other locales, made when they are needed. */
export class SessionLocales {
  private readonly copies = new Map<string, Promise<string>>();

  constructor(
    private readonly host: HostClient,
    private readonly session: { id: string; locale: string },
  ) {}

  /** The id of a session with this locale. */
  async inLocale(locale: string): Promise<string> {
    if (locale === this.session.locale) return this.session.id;
    const copy = this.copies.get(locale) ?? this.copy(locale);
    this.copies.set(locale, copy);
    try {
      return await copy;
    } catch (error) {
      this.copies.delete(locale);
      throw error;
    }
  }

  /** One that was made before the page was loaded again, if it still lives. */
  private async copy(locale: string): Promise<string> {
    const place = `slipway-preview ${this.session.id} ${locale}`;
    const former = sessionStorage.getItem(place);
    if (former !== null && (await this.isAlive(former))) return former;
    const { sessionId } = await this.host.copySession(this.session.id, locale);
    sessionStorage.setItem(place, sessionId);
    return sessionId;
  }

  private async isAlive(id: string): Promise<boolean> {
    return this.host.session(id).then(
      () => true,
      () => false,
    );
  }
}
