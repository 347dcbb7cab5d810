import { describe, expect, it } from 'vitest';
import {
  because,
  explanationText,
  type JournalEntry,
  newRecordState,
  type RecordState,
} from '#shared/records';
import { openReporter } from '../../functions/report-spend/open-reporter.ts';
import { tablesIn, textAt } from '../../functions/report-spend/read-html.ts';
import { chargeFor } from './random-log.ts';

const MATCHED = because('matched', { operation: 'reverseEmail' });

describe('a record', () => {
  const enriched: RecordState = {
    ...newRecordState('contacts', '7'),
    runsOpened: 2,
    creditsSpent: 6,
    outcome: { kind: 'enriched', reason: MATCHED, atMs: 0, credits: 3 },
    staleAtMs: Date.UTC(2027, 0, 1),
  };
  const entry: JournalEntry = {
    objectType: 'contacts',
    id: '7',
    run: 2,
    kind: 'enrichment',
    purpose: 'live',
    eventKeys: [],
    policyVersion: '1',
    outcome: 'enriched',
    reason: MATCHED,
    question: { key: 'key of the question', operation: 'reverseEmail', askedAtMs: 0 },
    credits: 3,
    changes: [
      { property: 'jobtitle', before: null, after: 'Engineer of secrets', state: 'written' },
      { property: 'city', before: 'Secret City', after: 'Another', state: 'refused' },
    ],
    atMs: Date.UTC(2026, 9, 20, 10),
    sentAtMs: Date.UTC(2026, 9, 20, 10),
  };

  it('is told with its state, its runs, its charges, and no value of it', async () => {
    const reporter = openReporter();
    const verdicts = [{ questionKey: 'q', askedAtMs: 0, rejected: { reason: because('other-last-name') } }];
    await reporter.putState({ ...enriched, verdicts });
    await reporter.journal.plan(entry);
    await chargeFor(reporter, 'contacts#7');
    await chargeFor(reporter, 'contacts#8');
    const { body } = await reporter.ask('/spend/record', { query: { type: 'contacts', id: '7' } });
    for (const words of [
      'Contact 7',
      '6 credits, 2 runs',
      explanationText(because('other-last-name')),
      'from 1 Jan 2027',
      'Enriched, ',
      explanationText(MATCHED),
    ])
      expect(body).toContain(words);
    const [runs, charges] = tablesIn(body);
    expect(runs?.rows.slice(1).map((row) => [row[1], row[3]])).toEqual([
      ['New and changed records, Enriched', 'jobtitle'],
    ]);
    expect(charges?.rows.slice(1).map((row) => row[1])).toEqual(['Contact 7 in HubSpot']);
    expect(body).not.toMatch(/secret/i);
  });

  it('that was merged is told by the one that it lives on in', async () => {
    const reporter = openReporter();
    await reporter.putState({ ...newRecordState('contacts', '6'), mergedInto: '7' });
    await reporter.putState(enriched);
    const { body } = await reporter.ask('/spend/record', { query: { type: 'contacts', id: '6' } });
    expect(body).toContain('<dt>Merged into</dt><dd>Contact 7</dd>');
  });

  it('that nobody knows is no error', async () => {
    const { statusCode, body } = await openReporter().ask('/spend/record', {
      query: { type: 'companies', id: '5' },
    });
    expect(statusCode).toBe(200);
    expect(textAt(body, 'id="unknown"')).toBeDefined();
  });
});
