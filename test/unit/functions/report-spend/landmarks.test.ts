import { expect, it } from 'vitest';
import { newRecordState } from '#shared/records';
import { chargeFor, TIME_ZONE } from '../../shared/spend/random-log.ts';
import { openReporter } from './open-reporter.ts';
import { tablesIn } from './read-html.ts';

/** Names of the landmarks of a page: sections by their headings, regions by their labels. */
function landmarksIn(page: string): string[] {
  const headed = [...page.matchAll(/<section [^>]*aria-labelledby="([^"]+)"/g)].map(
    ([, id]) => new RegExp(`id="${id}">([^<]*)<`).exec(page)?.[1] ?? `no heading ${id}`,
  );
  const labelled = [
    ...page.matchAll(/<(?:section|div role="region"|div [^>]*role="region")[^>]*aria-label="([^"]+)"/g),
  ];
  return [...headed, ...labelled.map(([, label = '']) => label)];
}

it.each(['/spend', '/spend/charges', '/spend/waiting', '/spend/review', '/spend/record'])(
  '%s names each landmark once, so that a screen reader tells them apart',
  async (path) => {
    const reporter = openReporter();
    const openedAtMs = reporter.clock.now();
    const run = { id: 'run', purpose: 'import', openedAtMs, credits: 0 } as const;
    const waiting = { reason: 'budget', untilMs: openedAtMs };
    await reporter.putState({ ...newRecordState('contacts', '1'), runsOpened: 1, run, waiting });
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 9, reason: 'invoice' });
    const query: Record<string, string> = path.endsWith('record') ? { type: 'contacts', id: '1' } : {};
    const { statusCode, body } = await reporter.ask(path, { query });
    expect(statusCode).toBe(200);
    const names = landmarksIn(body);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  },
);

it.each(['/spend', '/spend/charges', '/spend/records', '/spend/waiting', '/spend/review', '/spend/record'])(
  '%s names its time zone once, and each value of a wide table its column',
  async (path) => {
    const reporter = openReporter();
    const nowMs = reporter.clock.now();
    const run = { id: 'run', purpose: 'import', openedAtMs: nowMs, credits: 0 } as const;
    const waiting = { reason: 'key-refused', untilMs: nowMs };
    await reporter.putState({ ...newRecordState('contacts', '1'), runsOpened: 1, run, waiting });
    await chargeFor(reporter, 'contacts#1');
    await reporter.days.addStops([{ kind: 'key-refused', what: 'The key is refused.' }]);
    const finding = {
      kind: 'proposal',
      reason: { code: 'nothing-to-write' },
      properties: [],
      purpose: 'import',
    } as const;
    await reporter.reviews.looked({ objectType: 'contacts', id: '1' }, [finding]);
    const query: Record<string, string> = path.endsWith('record') ? { type: 'contacts', id: '1' } : {};
    const { body } = await reporter.ask(path, { query });
    expect(body.split(TIME_ZONE)).toHaveLength(2);
    const wide = [...body.matchAll(/<div class="scroll".*?<\/table>/gs)].map(([table]) => table);
    expect(wide.length).toBeGreaterThan(0);
    for (const table of wide) {
      const heads =
        tablesIn(table)[0]
          ?.rows[0]?.slice(1)
          .map((words) => words.replace(' ▾', '')) ?? [];
      for (const [, row = ''] of table.matchAll(/<tr>(<th scope="row".*?)<\/tr>/gs))
        expect([...row.matchAll(/data-label="([^"]+)"/g)].map(([, words]) => words)).toEqual(heads);
    }
  },
);
