import { assert } from './errors.ts';

/** Splits items, in order, into chunks of at most `size`. */
export function inChunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  assert(size >= 1, 'a chunk holds at least one item');
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Number of calls at the same time. An AWS client opens 50 connections, and half of them are left to other steps of the
 * process.
 */
const CALLS_AT_ONCE = 25;

/**
 * Calls a function for each item, at most 25 at the same time. @returns results in order. @throws the first error of a
 * chunk.
 */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const chunk of inChunks(items, CALLS_AT_ONCE)) results.push(...(await Promise.all(chunk.map(call))));
  return results;
}
