/** Clients at the same time, unless told otherwise. */
export const clients = 8;

/** Does the work so many times in all; each of the clients asks again as soon as it has its answer. */
export async function closedLoop(
  count: number,
  work: () => Promise<unknown>,
  clientCount: number = clients,
): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: clientCount }, client));
}
