import { describe, expect, it } from 'vitest';
import { ENRICHMENT_STATUSES, STATUS_LABELS } from '#shared/field-policy';
import { STOP_SENTENCES } from '#shared/questions';
import { newRecordState, settle, standingOfEvent, standingWords, waitingWords } from '#shared/records';

describe('the catalogue of outcomes, waits and stops', () => {
  it('has a name of its own for each status', () => {
    const labels = ENRICHMENT_STATUSES.map((status) => STATUS_LABELS[status]);
    expect(new Set(labels).size).toBe(ENRICHMENT_STATUSES.length);
  });

  it.each(Object.entries(STOP_SENTENCES))('says what to do about the stop %s', (reason, why) => {
    expect(waitingWords(reason, 'crm')).toMatchObject({ why, toDo: expect.stringMatching(/\S{3}/) });
  });

  it('shows a waiting record the more exact reason, and a sentence for each code', () => {
    const waiting = { kind: 'waiting', reason: 'rate-limit', untilMs: 0, credits: 0 } as const;
    expect(standingWords(waiting)).toEqual({
      label: 'Waiting',
      why: "The data service's rate limit is reached.",
    });
    expect(standingWords({ ...waiting, detail: 'Exactly this.' }).why).toBe('Exactly this.');
  });

  it('gives a request the end of the run that served it, after a later run', () => {
    const recentEvents = [{ key: 'request:2', atMs: 0, run: 2, credits: 0 }];
    const run = { id: 'third', purpose: 'live', openedAtMs: 0, credits: 0 } as const;
    const outcome = { kind: 'unchanged', reason: 'The second.', atMs: 0, credits: 0 } as const;
    const state = { ...newRecordState('contacts', '1'), recentEvents, outcome, run, runsOpened: 3 };
    const third = { ...outcome, reason: 'The third.' };
    const settled = settle(state, { outcome: third, learned: {}, nextRunId: 'none' });
    const standing = standingOfEvent(settled, { eventKey: 'request:2', recordId: '1' });
    expect(standingWords(standing).why).toMatch(/^The second\. A later run .*: The third\.$/);
  });

  it('names the status that HubSpot shows where the run counts as another', () => {
    const outcome = { kind: 'unmatched', reason: 'Another last name.', atMs: 0, credits: 3 } as const;
    expect(standingWords({ kind: 'ended', outcome }).label).toBe('No match');
    expect(standingWords({ kind: 'ended', outcome: { ...outcome, status: 'review' } }).label).toBe(
      'Needs review',
    );
  });
});
