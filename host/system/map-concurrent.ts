// Not p-map: it rejects while work that had begun still runs (3 of 4 items when measured), so files could appear in a folder that is being removed.
/**
 * Runs the work for each item, at most `limit` at a time; results in the order of the items. Rejects with the first
 * failure, after which nothing is begun any more, and not before everything that had begun is over.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
