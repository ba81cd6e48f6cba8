import type { Instance } from "./instance.js";

/** The moment in which the next instance begins to serve, or in which it is certain that none will. */
export class Arrival {
  instance: Instance | undefined;
  cancel: () => void = () => undefined;
  readonly happened = new Promise<void>((resolve) => {
    this.cancel = resolve;
  });

  announce(instance: Instance): void {
    this.instance = instance;
    this.cancel();
  }
}
