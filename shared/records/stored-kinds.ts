import { type ObjectType, type RecordName, recordKey } from '#shared/crm';
import { DAY_MS, utcDay } from '#shared/kernel';
import { explanationBounds } from '#shared/ownership';
import { type IndexedItems, kind } from '#shared/store';
import { recordPlace } from './record-state.ts';
import {
  companyClaimSchema,
  daySchema,
  journalEntrySchema,
  recordStateSchema,
  type StoredStatus,
  statusSchema,
} from './schemas.ts';

const POLICY_PROPERTIES = 'Properties of the policy, each once: no more than a HubSpot object has, 1,000.';
const OBJECT_PROPERTIES = 'Properties of a HubSpot object, each once, at most 1,000: HubSpot refuses more.';
const ATTEMPTS =
  'The agreed price: each attempt uses a part, and no attempt exceeds the rest. Without a price, attempts in doubt, one for each question.';
const RUN_EVENTS = 'MAX_RUN_EVENTS; later events of the run are not stored in it.';
const REASONS = 'Codes of our own, a fixed list.';
const INDEX_PLACES = 'Places of the index, a fixed list.';

export const recordKind = kind({
  name: 'record state',
  prefix: 'record',
  scope: 'portal',
  table: 'state',
  schema: recordStateSchema,
  key: (record: RecordName) => recordKey(record),
  index: recordPlace,
  expiry: { kept: 'no expiry' },
  holdsPeople: 'all but its id, its counts and keyed hashes',
  bound: {
    doubts: 'Attempts in doubt: a question in doubt is not asked again.',
    later: 'MAX_LATER, and one for each purpose; further reasons join the last, at the lower limit.',
    'later.commitments': ATTEMPTS,
    'later.eventKeys': RUN_EVENTS,
    identifiers:
      'Nothing is dropped: at 400 KB (6,000 identifiers) the write fails before any lookup for the record.',
    mergedFrom: 'HubSpot merges a record at most 250 times, and refuses more.',
    ownership: OBJECT_PROPERTIES,
    recentEvents: 'MAX_EVENTS and MAX_WISHES; the oldest are dropped.',
    'run.commitments': ATTEMPTS,
    'run.eventKeys': RUN_EVENTS,
    'verdicts.declined': POLICY_PROPERTIES,
    'waiting.params': 'The parameters of a wait of our own.',
    ...explanationBounds(
      'recentEvents.end.reason',
      'outcome.reason',
      'verdicts.rejected.reason',
      'backfills.end.reason',
    ),
  },
});

export const journalKind = kind({
  name: 'write journal entry',
  prefix: 'journal',
  scope: 'portal',
  table: 'state',
  schema: journalEntrySchema,
  key: ({ objectType, id, run }: RecordName & { readonly run: number }) => `${objectType}#${id}#${run}`,
  /** Partitions the journal by day in UTC, so that a period can be listed. */
  index: ({ atMs }) => ({ partition: utcDay(atMs), order: atMs }),
  expiry: {
    kept: '`journalDays` of the policy',
    at: ({ atMs }, { journalDays }) => atMs + journalDays * DAY_MS,
  },
  holdsPeople: "every value of the person's entries",
  bound: {
    changes: 'Properties of the policy, each once; beyond MAX_CHARACTERS the longest values lose their ends.',
    dropped: POLICY_PROPERTIES,
    eventKeys: RUN_EVENTS,
    ...explanationBounds('reason', 'association'),
  },
});

export const companyClaimKind = kind({
  name: 'claim to create a company',
  prefix: 'company-claim',
  scope: 'portal',
  table: 'state',
  schema: companyClaimSchema,
  key: (domainHash: string) => domainHash,
  expiry: { kept: '2 days', at: ({ untilMs }) => untilMs + DAY_MS },
  holdsPeople: false,
  bound: {},
});

export type StatusName =
  | Exclude<keyof StoredStatus, 'created' | 'spend' | 'writeBreaker'>
  | `${'created' | 'write-breaker'}#${ObjectType}`
  /** With the version of the projection. */
  | `spend#${number}`;

export const statusKind = kind({
  name: 'status: HubSpot account, positions of passes and sweeps, write breakers, alerts that were sent, ids of contacts',
  prefix: 'status',
  scope: 'portal',
  table: 'state',
  schema: statusSchema,
  key: (name: StatusName) => name,
  index: ({ marker }: StoredStatus) => marker && { partition: 'index-marker' as const, order: marker.atMs },
  expiry: { kept: 'no expiry, a fixed number of items' },
  holdsPeople: false,
  bound: {
    'alerts.facts': 'Only what holds: marks of budgets, at most 20 doubts, and stops.',
    'deletions.suspects': 'MAX_SUSPECTS and the contacts of one part; the pass waits at it.',
    'runs.sum.guilty': 'MAX_GUILTY; further records are counted and not named.',
    'sweep.counts': 'Two causes in each of the three lanes.',
    'waiting.last.reasons': REASONS,
    'waiting.last.records': INDEX_PLACES,
    'waiting.sum.reasons': REASONS,
    'waiting.sum.records': INDEX_PLACES,
    'writeBreaker.refusals': OBJECT_PROPERTIES,
  },
});
export type StatusItems = IndexedItems<StoredStatus>;

export const dayKind = kind({
  name: 'day: yields by purpose, and stops with their reasons and times',
  prefix: 'day',
  scope: 'portal',
  table: 'state',
  schema: daySchema,
  key: (day: string) => day,
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {
    stops: 'MAX_DAY_STOPS; later ones are joined to the last of their kind.',
    yields: "Purposes, kinds, rules of the policy and HubSpot's sources, each combination once.",
  },
});
