/** Milliseconds by which a timer may be early. */
const margin = 20;

/** Looks for work, never twice at a time; who asks for a look during another one gets a further one after it. */
export class Looks {
  private looking: Promise<void> | undefined;
  private isWanted = false;

  /** `takeAll`: takes what there is to do, as far as there is room. */
  constructor(private readonly takeAll: () => Promise<void>) {}

  look(): void {
    this.isWanted = true;
    this.looking ??= this.lookAgain().finally(() => {
      this.looking = undefined;
    });
  }

  /** Looks once more when so many milliseconds are over. */
  lookIn(milliseconds: number): void {
    setTimeout(() => this.look(), milliseconds + margin).unref();
  }

  /** Resolves when no look is under way. */
  async settled(): Promise<void> {
    await this.looking;
  }

  private async lookAgain(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.takeAll();
    }
  }
}
