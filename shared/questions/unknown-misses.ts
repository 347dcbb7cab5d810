import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { AskGateway } from './gateway.ts';
import type { UnknownMisses } from './schemas.ts';
import { unknownMissesKind } from './stored-kinds.ts';

/** So many different sentences are kept, the newest ones. */
const MAX_SENTENCES = 5;

/**
 * Counts the misses in unpublished words. They are written down after the question is done with, and at
 * first, then whenever their number has doubled: the count may lag behind, and costs next to nothing.
 */
export function createMissCount(services: {
  readonly items: VersionedItems<UnknownMisses>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}) {
  const { items, clock } = services;
  let [seen, told] = [0, 0];
  const sentences = new Set<string>();
  const tell = async () => {
    const [added, words, atMs] = [seen - told, [...sentences], clock.now()];
    await change(items, { key: unknownMissesKind.key(), kind: 'count of misses', clock }, (before) => ({
      value: {
        count: (before?.count ?? 0) + added,
        sinceMs: before?.sinceMs ?? atMs,
        lastAtMs: atMs,
        words: [...new Set([...words, ...(before?.words ?? [])])].slice(0, MAX_SENTENCES),
      },
    }));
    told += added;
    sentences.clear();
  };
  return {
    /** @param words without personal data. */
    see: (words: string) => {
      seen += 1;
      sentences.add(words);
    },
    /** The gateway, telling after a question what was seen in it. */
    counting: (gateway: AskGateway): AskGateway => ({
      ...gateway,
      ask: async (request) => {
        const result = await gateway.ask(request);
        // What is paid for is not to be lost for a count; the next question tries again.
        if (seen > told && seen >= 2 * told) await tell().catch(() => undefined);
        return result;
      },
    }),
  };
}
