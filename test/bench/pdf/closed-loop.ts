/** Clients at the same time. */
export const clients = 8;

/** Does the work so many times in all; each client asks again as soon as it has its answer. */
export async function closedLoop(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: clients }, client));
}
