import { describe, expect, it } from 'vitest';
import { createReviews } from '#inside/review/reviews.ts';
import type { Review } from '#inside/review/schemas.ts';
import { reviewKind } from '#inside/review/stored-kinds.ts';
import { FINDING_KINDS, type FindingKind, reviewLines } from '#shared/review';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const PER_PAGE = 3;

/** A store that gives out three items at a time, as a table does a megabyte. */
function open() {
  const memory = createMemoryItems<Review>({ indexPosition: reviewKind.place });
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const page: typeof memory.page = async ({ partition, after = '0' }) => {
    const { values } = await memory.page({ partition });
    const from = Number(after);
    const next = from + PER_PAGE < values.length ? { next: String(from + PER_PAGE) } : {};
    return { values: values.slice(from, from + PER_PAGE), ...next };
  };
  return createReviews({ items: { ...memory, page }, previews: createMemoryItems(), clock });
}

/** 20 records, each with one finding; every fourth has a contradiction beside it. */
async function filled() {
  const reviews = open();
  for (let nth = 0; nth < 20; nth += 1) {
    const record = { objectType: 'contacts', id: `${nth}` } as const;
    const kinds: FindingKind[] = ['proposal', ...(nth % 4 === 0 ? ['contradiction' as const] : [])];
    const answer = { questionKey: 'q', operation: 'personProfile', askedAtMs: 1 } as const;
    await reviews.looked(
      record,
      kinds.map((kind) => ({ kind, reason: { code: 'because' }, purpose: 'live', answer })),
    );
  }
  return reviews;
}

async function listed(reviews: ReturnType<typeof open>, kind?: FindingKind) {
  const lines: string[] = [];
  let after: string | undefined;
  do {
    const page = await reviews.page({ kind, after });
    expect(page.values.length).toBeLessThanOrEqual(PER_PAGE);
    lines.push(...reviewLines(page.values, kind).map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return lines;
}

describe('what is up for review', () => {
  it('is listed page by page, each finding once, records with the gravest first', async () => {
    const reviews = await filled();
    const all = await listed(reviews);
    expect(all).toHaveLength(25);
    expect(new Set(all).size).toBe(25);
    expect(all.slice(0, 2)).toEqual(['contacts/0/contradiction', 'contacts/0/proposal']);
    expect(await listed(reviews, 'proposal')).toHaveLength(20);
    expect(await listed(reviews, 'contradiction')).toHaveLength(5);
    for (const kind of FINDING_KINDS.slice(1, 4)) expect(await listed(reviews, kind)).toEqual([]);
  });

  it('is kept as long as the journal, from its last change on', () => {
    const review = { objectType: 'contacts', id: '1', findings: [], changedAtMs: 1_000 } as const;
    expect(reviewKind.expiry.at?.(review, { journalDays: 2, privacy: { keepDisclosures: 1095 } })).toBe(
      1_000 + 2 * 86_400_000,
    );
  });
});
