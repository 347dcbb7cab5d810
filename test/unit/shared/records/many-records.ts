import type { IndexQuery } from '#inside/store/items.ts';
import { DAY_MS, seededRandom } from '#shared/kernel';
import { newRecordState, type RecordState, recordPlace } from '#shared/records';

export const NOW_MS = 5_000 * DAY_MS;

/** Draws a record of any kind from its number. */
export function drawnRecord(number: number): RecordState {
  const random = seededRandom(number);
  const objectType = random() < 0.7 ? 'contacts' : 'companies';
  const draw = random();
  const answeredAtMs = NOW_MS - Math.floor(random() * 700 * DAY_MS);
  return {
    ...newRecordState(objectType, String(number)),
    answeredAtMs,
    staleAtMs: answeredAtMs + 90 * DAY_MS,
    weight: draw < 0.1 ? 10 : draw < 0.4 ? 3 : 1,
  };
}

/** An index of records that counts its requests and returned items. */
export function countedIndex(count: number) {
  const places = new Map<string, { number: number; order: number }[]>();
  for (let number = 0; number < count; number += 1) {
    const { partition, order } = recordPlace(drawnRecord(number));
    const members = places.get(partition) ?? [];
    if (members.length === 0) places.set(partition, members);
    members.push({ number, order });
  }
  for (const members of places.values()) members.sort((a, b) => a.order - b.order);
  const counted = { queries: 0, items: 0 };
  return {
    counted,
    list: async ({ partition, upTo = Number.MAX_SAFE_INTEGER, limit = count }: IndexQuery) => {
      const found = (places.get(partition) ?? []).slice(0, limit).filter(({ order }) => order <= upTo);
      counted.queries += 1;
      counted.items += found.length;
      return found.map(({ number }) => drawnRecord(number));
    },
  };
}
