import { expect, it } from 'vitest';
import { newRecordState } from '#shared/records';
import { openReporter } from './open-reporter.ts';

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

it.each(['/spend', '/spend/charges', '/spend/waiting', '/spend/statement'])(
  '%s names each landmark once, so that a screen reader tells them apart',
  async (path) => {
    const reporter = openReporter();
    const openedAtMs = reporter.clock.now();
    const run = { id: 'run', purpose: 'import', openedAtMs, credits: 0 } as const;
    const waiting = { reason: 'budget', untilMs: openedAtMs };
    await reporter.putState({ ...newRecordState('contacts', '1'), runsOpened: 1, run, waiting });
    await reporter.ledger.apply({ kind: 'grant', id: 'grant:1', amountCredits: 9, reason: 'invoice' });
    const { statusCode, body } = await reporter.ask(path);
    expect(statusCode).toBe(200);
    const names = landmarksIn(body);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  },
);
