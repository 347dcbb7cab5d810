import { describe, expect, it } from 'vitest';
import { WAITING_WORDS } from '#inside/records/status-words.ts';
import { ENRICHMENT_STATUSES, STATUS_LABELS } from '#shared/field-policy';
import { STOP_SENTENCES } from '#shared/questions';
import {
  because,
  EXPLANATION_TEXTS,
  explanationText,
  newRecordState,
  settle,
  standingOfEvent,
  standingWords,
  waitingWords,
  withNotes,
} from '#shared/records';
import { catalogueFaults, sentenceFaults } from '../../../harness/catalogue.ts';

function runOf(id: string) {
  return { id, purpose: 'live', openedAtMs: 0, credits: 0 } as const;
}

describe('the catalogue of explanations', () => {
  it('makes one sentence for each code', () => {
    expect(catalogueFaults(EXPLANATION_TEXTS)).toEqual([]);
  });

  it('shows notes after the explanation, and a code of another version as itself', () => {
    const [gone, note] = [because('gone'), because('write-refused', { why: 'CONFLICT' })];
    expect(withNotes(gone, [note])).toEqual({ ...gone, notes: [note] });
    expect(explanationText(withNotes(gone, [note]))).toBe(
      `${explanationText(gone)} ${explanationText(note)}`,
    );
    expect(explanationText({ code: 'toString' })).toBe('toString');
  });
});

describe('the catalogue of outcomes, waits and stops', () => {
  it('has a name of its own for each status', () => {
    const labels = ENRICHMENT_STATUSES.map((status) => STATUS_LABELS[status]);
    expect(new Set(labels).size).toBe(ENRICHMENT_STATUSES.length);
  });

  it.each(Object.entries(STOP_SENTENCES))('says what to do about the stop %s', (reason, why) => {
    const words = waitingWords(reason, 'crm');
    expect(words.why).toBe(why);
    expect(words.toDo).not.toBe('');
  });

  it('says of each wait and stop in short sentences why, and what to do', () => {
    for (const reason of WAITING_WORDS.keys()) {
      const { why, toDo } = waitingWords(reason, 'crm');
      expect([why, toDo].flatMap(sentenceFaults), reason).toEqual([]);
    }
  });

  it('shows a waiting record the more exact reason, and a sentence for each code', () => {
    const waiting = { kind: 'waiting', reason: 'rate-limit', untilMs: 0, credits: 0 } as const;
    expect(standingWords(waiting)).toEqual({
      label: STATUS_LABELS.waiting,
      why: waitingWords('rate-limit').why,
    });
    expect(standingWords({ ...waiting, detail: 'Exactly this.' }).why).toBe('Exactly this.');
  });

  it('gives a request the end of the run that served it, after a later run', () => {
    const recentEvents = [{ key: 'request:2', atMs: 0, run: 'second' }];
    const state = {
      ...newRecordState('contacts', '1'),
      recentEvents,
      run: runOf('second'),
      later: [runOf('third')],
      runsOpened: 1,
    };
    const outcome = { kind: 'unchanged', reason: because('up-to-date'), atMs: 1, credits: 0 } as const;
    const next = settle(state, { outcome, learned: {} });
    const laterReason = because('gone');
    const settled = settle(next, { outcome: { ...outcome, reason: laterReason, atMs: 2 }, learned: {} });
    const standing = standingOfEvent(settled, { eventKey: 'request:2', recordId: '1' });
    expect(standing).toMatchObject({ kind: 'ended', outcome, laterReason });
    const { why } = standingWords(standing);
    expect(why.startsWith(`${explanationText(outcome.reason)} `)).toBe(true);
    expect(why.endsWith(` ${explanationText(laterReason)}`)).toBe(true);
  });

  it('names the status that HubSpot shows where the run counts as another', () => {
    const outcome = { kind: 'unmatched', reason: because('other-last-name'), atMs: 0, credits: 3 } as const;
    expect(standingWords({ kind: 'ended', outcome }).label).toBe(STATUS_LABELS.unmatched);
    expect(standingWords({ kind: 'ended', outcome: { ...outcome, status: 'review' } }).label).toBe(
      STATUS_LABELS.review,
    );
  });
});
