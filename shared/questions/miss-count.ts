import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/store';
import type { AskGateway } from './gateway.ts';
import type { VendorFacts } from './schemas.ts';
import { vendorFactsKind } from './stored-kinds.ts';

/** Number of different sentences that are kept, newest first. */
const MAX_SENTENCES = 5;

/**
 * Counts misses with unpublished wordings. The count is stored after a question has ended: after the first miss, then
 * whenever the number has doubled. So the stored count may be too low, but needs few writes.
 */
export function createMissCount(services: {
  /** The vendor's mark. */
  readonly mark: string;
  readonly items: VersionedItems<VendorFacts>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}) {
  const { items, mark, clock } = services;
  let [seenMisses, storedMisses] = [0, 0];
  const sentences = new Set<string>();
  const store = async () => {
    const [added, words, atMs] = [seenMisses - storedMisses, [...sentences], clock.now()];
    await change(items, { key: vendorFactsKind.key(mark), kind: 'count of misses', clock }, (known) => {
      const before = known?.unknownMisses;
      const unknownMisses = {
        count: (before?.count ?? 0) + added,
        sinceMs: before?.sinceMs ?? atMs,
        lastAtMs: atMs,
        words: [...new Set([...words, ...(before?.words ?? [])])].slice(0, MAX_SENTENCES),
      };
      return { value: { ...known, unknownMisses } };
    });
    storedMisses += added;
    sentences.clear();
  };
  return {
    /** @param words without personal data. */
    see: (words: string) => {
      seenMisses += 1;
      sentences.add(words);
    },
    /** Wraps the gateway so that it stores the count after a question. */
    counting: (gateway: AskGateway): AskGateway => ({
      ...gateway,
      ask: async (request) => {
        const result = await gateway.ask(request);
        // If the count cannot be stored, the paid answer must not be lost. The next question retries.
        if (seenMisses > storedMisses && seenMisses >= 2 * storedMisses) await store().catch(() => undefined);
        return result;
      },
    }),
  };
}
