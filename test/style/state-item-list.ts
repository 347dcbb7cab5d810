import type { StateItem } from './state-items.ts';

const SCHEMAS = 'shared/questions/schemas.ts';
const QUESTION = ['shared/questions/transitions.ts'];

/** The stored items with states, and the files of their transitions. */
export const STATE_ITEMS: readonly StateItem[] = [
  { type: 'QuestionItem', from: SCHEMAS, transitions: QUESTION },
  { type: 'Attempt', from: SCHEMAS, transitions: QUESTION },
  { type: 'StoredAnswer', from: SCHEMAS, transitions: ['shared/questions/stored-answers.ts'] },
  { type: 'SentAlerts', from: 'shared/alerts/schemas.ts', transitions: ['shared/alerts/due-alerts.ts'] },
  { type: 'BreakerState', from: SCHEMAS, transitions: ['shared/questions/breaker-transitions.ts'] },
  {
    type: 'RateLimiterState',
    from: 'shared/rate-limiter/schemas.ts',
    // The state for an unreadable item is built beside its schema.
    transitions: ['state', 'acquire', 'complete', 'schemas'].map((name) => `shared/rate-limiter/${name}.ts`),
  },
  {
    type: 'EntryDraft',
    from: 'shared/credit-ledger/command.ts',
    transitions: ['shared/credit-ledger/next-entry.ts', 'shared/credit-ledger/set-back.ts'],
    elsewhere: {
      'shared/credit-ledger/chain.ts': 'makes an entry of a draft, and hashes it',
      'shared/credit-ledger/verify.ts': 'takes the hash off an entry to compute it anew',
    },
  },
  {
    type: 'LedgerEntry',
    from: 'shared/credit-ledger/schemas.ts',
    transitions: ['shared/credit-ledger/chain.ts'],
  },
  {
    type: 'Backfill',
    from: 'shared/enrichment/backfill/schemas.ts',
    transitions: ['transitions', 'judge'].map((name) => `shared/enrichment/backfill/${name}.ts`),
  },
  {
    type: 'SweepMinute',
    from: 'shared/work-queue/schemas.ts',
    transitions: ['shared/work-queue/sweep/sweep-window.ts'],
  },
  { type: 'Review', from: 'shared/review/schemas.ts', transitions: ['shared/review/transitions.ts'] },
  { type: 'Finding', from: 'shared/review/schemas.ts', transitions: ['shared/review/transitions.ts'] },
  {
    type: 'ArchivedPolicy',
    from: 'shared/enrichment/policy-change/schemas.ts',
    transitions: ['shared/enrichment/policy-change/archive.ts'],
  },
  {
    type: 'RecordState',
    from: 'shared/records/schemas.ts',
    transitions: [
      ...[
        'transitions',
        'waiting-transitions',
        'later-runs',
        'answer-claim',
        'record-lifecycle',
        'open-for-refresh',
        'record-state',
        'reject-answer',
        'removal',
      ],
    ].map((name) => `shared/records/${name}.ts`),
    elsewhere: {
      'shared/work-queue/sweep/requeue.ts': 'moves the due time of a run that its sweep queues again',
      'shared/enrichment/claim.ts': 'ends the run of a merged record before it is marked as merged',
      'shared/enrichment/policy-change/apply.ts':
        'carries what the history told to the write; stores nothing',
      'shared/enrichment/ask/price-limit.ts': 'notes in the run what was answered',
      'shared/enrichment/settle-record.ts': 'keeps what a run may be charged until its outcome counts it',
      'shared/enrichment/write-back/by-history.ts': 'knows which properties people emptied; stores nothing',
      'shared/enrichment/review/accepted-answer.ts': 'knows what was known before an answer; stores nothing',
      'shared/enrichment/hold-record.ts': 'leaves a run due after the one that took it over',
      'shared/enrichment/undo/undo-writes.ts': 'pins what an undo is about to bring back',
      'shared/privacy/forget-record.ts': 'leaves nothing of a person but the mark of a forgetting',
      'shared/privacy/index-person.ts': "adds identifiers of the record's person",
      'shared/records/history.ts': 'names another record with the type of this one; stores nothing',
    },
  },
];
