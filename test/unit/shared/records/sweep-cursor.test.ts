import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SweepCursor } from '#inside/records/schemas.ts';
import { afterPage, nextWindow } from '#inside/records/sweep-created.ts';
import { MINUTE_MS } from '#shared/kernel';

const INSTALLED = 1_000_000_000;

describe('after a page', () => {
  const window = { fromMs: INSTALLED, toMs: INSTALLED + 60 * MINUTE_MS };

  it('that was not, the next window overlaps by what HubSpot’s search may lag behind', () => {
    const cursor = afterPage(window, { lastId: '77', full: false, installedAtMs: INSTALLED });
    expect(cursor).toEqual({ fromMs: INSTALLED + 50 * MINUTE_MS });
  });
});

interface Created {
  readonly id: number;
  readonly atMs: number;
}

/** Runs the sweep until it has nothing to see, over records that are all in the index. */
function sweep(records: readonly Created[], { page, toMs }: { page: number; toMs: number }) {
  const seen = new Set<number>();
  let cursor: SweepCursor | undefined;
  for (let turn = 0; turn < 200; turn += 1) {
    const window = nextWindow(cursor, { installedAtMs: INSTALLED, toMs });
    if (!window) break;
    const found = records
      .filter(
        ({ id, atMs }) => atMs >= window.fromMs && atMs <= window.toMs && id > Number(window.afterId ?? 0),
      )
      .slice(0, page);
    for (const { id } of found) seen.add(id);
    const next = afterPage(window, {
      lastId: found.at(-1) && String(found.at(-1)?.id),
      full: found.length === page,
      installedAtMs: INSTALLED,
    });
    if (!next.window && next.fromMs === cursor?.fromMs) break;
    cursor = next;
  }
  return seen;
}

it('sees every record created since the installation, and none before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (minutes, page) => {
        const records = minutes.map((minute, id) => ({ id: id + 1, atMs: INSTALLED + minute * MINUTE_MS }));
        const seen = sweep(records, { page, toMs: INSTALLED + 100 * MINUTE_MS });
        expect([...seen].sort()).toEqual(
          records
            .filter(({ atMs }) => atMs >= INSTALLED)
            .map(({ id }) => id)
            .sort(),
        );
      },
    ),
    { seed: 3 },
  );
});
