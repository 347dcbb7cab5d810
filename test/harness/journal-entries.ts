import { because, type Change, type JournalEntry } from '#shared/records';

/** Creates an entry of the journal of contact 7. */
export function entry(run: number, change: Partial<JournalEntry> = {}): JournalEntry {
  const { atMs = Date.UTC(2026, 10, run, 12) } = change;
  return {
    objectType: 'contacts',
    id: '7',
    run,
    kind: 'enrichment',
    purpose: 'live',
    eventKeys: [],
    policyVersion: 'p',
    outcome: 'enriched',
    reason: because('matched', { operation: 'reverseEmail' }),
    credits: 1,
    changes: [],
    atMs,
    sentAtMs: atMs,
    ...change,
  };
}

export function write(property: string, [before, after]: readonly [string | null, string]): Change {
  return { property, before, after, state: 'written' };
}
