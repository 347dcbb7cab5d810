import { assert } from './errors.ts';

/** The items in their order, at most `size` at a time. */
export function inChunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  assert(size >= 1, 'a chunk holds at least one item');
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
