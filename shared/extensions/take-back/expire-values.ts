import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { knownProperties, readWithCompanies, type SweepStep } from '#shared/enrichment';
import {
  type AnswerTimes,
  mayHaveExpired,
  type Policy,
  propertiesOfRetention,
  type Retention,
  retentionOf,
} from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { DAY_MS, inChunks, SECOND_MS } from '#shared/kernel';
import {
  continuePass,
  isUnderWay,
  type PassServices,
  RECORD_PLACES,
  type RecordState,
  type Removal,
} from '#shared/records';
import type { Wanted } from '#shared/take-back';
import { type RemovalResult, type RemovalServices, removeValues } from './remove-values.ts';

/**
 * A pass begins once a day. So a value stays at most one day longer than its time, unless HubSpot refuses to empty it.
 */
const PASS_EVERY_MS = DAY_MS;

/** Number of records that one sweep reads from the index. This is close to three million a day. */
const RECORDS_IN_A_SWEEP = 2_000;

/**
 * Maximum number of records that one sweep reads in HubSpot. It reads them in two parts, with about 16 requests. The
 * rest of the sweep's minute is for other work.
 */
const HUBSPOT_READS_IN_A_SWEEP = 200;

const RECORDS_IN_A_PART = 100;

/** No part begins after this time, because the sweep has other work. */
const SWEEP_MS = 30 * SECOND_MS;

/** HubSpot shows the history of at most 50 records in one request. */
export const REMOVED_AT_ONCE = 50;

export interface RetentionServices extends RemovalServices {
  readonly status: PassServices['status'];
}

/** Counts of one sweep's part of a pass. */
interface RetentionCounts {
  /** Records whose values may have expired. */
  readonly looked: number;
  /** Records without any value of ours left. */
  readonly removed: number;
  /** Properties that were emptied. */
  readonly values: number;
  /** Records to retry, because a worker has them or HubSpot refused to empty them. */
  readonly open: number;
  /** Records whose rule reads a property that HubSpot does not have. */
  readonly unreadable: number;
}

const NOTHING: RetentionCounts = { looked: 0, removed: 0, values: 0, open: 0, unreadable: 0 };

/** Runs a part of the pass for values past their retention period. */
export const retentionStep = (): SweepStep => ({
  name: 'retention',
  place: 'last',
  take: async (services) => {
    const expired = await expireValues(services);
    if (!expired) return;
    const { logger } = services;
    const { unreadable } = expired;
    logger.info('values-expired', { counts: { ...expired } });
    if (unreadable > 0) logger.warn('retention-unreadable', { counts: { unreadable } });
  },
});

/**
 * Continues the pass for records whose values have expired by `policy.privacy.retention`, and for interrupted removals.
 * A sweep does a limited part of the pass. It does not use the HubSpot requests that are reserved for other apps.
 * @returns `undefined` if no record's values may have expired.
 */
async function expireValues(services: RetentionServices): Promise<RetentionCounts | undefined> {
  let counts = NOTHING;
  const untilMs = services.clock.now() + SWEEP_MS;
  const mayContinue = () => counts.looked < HUBSPOT_READS_IN_A_SWEEP && services.clock.now() < untilMs;
  for (let seen = 0; seen < RECORDS_IN_A_SWEEP && mayContinue(); ) {
    if ((await services.crm.pausedUntil('bulk')) !== undefined) break;
    const part = await expirePart(services);
    if (!part) break;
    seen += RECORDS_IN_A_PART;
    counts = sumOf(counts, part);
  }
  return counts.looked > 0 ? counts : undefined;
}

const NONE: readonly RecordState[] = [];

async function expirePart(services: RetentionServices): Promise<RetentionCounts | undefined> {
  const { policy, clock } = services;
  const nowMs = clock.now();
  let counts = NOTHING;
  const continued = await continuePass(services, {
    name: 'retention',
    stored: ({ retention }) => retention,
    places: RECORD_PLACES,
    everyMs: PASS_EVERY_MS,
    recordsAtOnce: RECORDS_IN_A_PART,
    empty: NONE,
    add: (due, state) => (mayBeDue(policy, state, nowMs) ? [...due, state] : due),
    // If a part fails, it is repeated. The repetition recognises finished records.
    keep: async ({ sum: states, ...retention }) => {
      counts = await removeDue(services, states);
      return { retention };
    },
  });
  return continued && counts;
}

async function removeDue(
  services: RetentionServices,
  states: readonly RecordState[],
): Promise<RetentionCounts> {
  let counts: RetentionCounts = { ...NOTHING, looked: states.length };
  for (const objectType of OBJECT_TYPES) {
    const ofType = states.filter((state) => state.objectType === objectType);
    for (const group of inChunks(ofType, REMOVED_AT_ONCE)) {
      const { due, unreadable } = await dueRecords(services, objectType, group);
      const results = due.length > 0 ? await removeValues(services, objectType, due) : [];
      counts = sumOf(counts, { ...tallyOf(results), looked: 0, unreadable: unreadable.length });
    }
  }
  return counts;
}

export function tallyOf(
  results: readonly RemovalResult[],
): Pick<RetentionCounts, 'removed' | 'values' | 'open'> {
  const emptied = results.flatMap((each) => ('removed' in each ? each.removed : []));
  return {
    removed: results.filter(({ kind }) => kind === 'done').length,
    values: emptied.length,
    open: results.filter(({ kind }) => kind === 'open' || kind === 'busy').length,
  };
}

function sumOf(a: RetentionCounts, b: RetentionCounts): RetentionCounts {
  return {
    looked: a.looked + b.looked,
    removed: a.removed + b.removed,
    values: a.values + b.values,
    open: a.open + b.open,
    unreadable: a.unreadable + b.unreadable,
  };
}

/** Whether a record must be read, because a rule's time may be over or a removal is unfinished. */
export function mayBeDue(policy: Policy, state: RecordState, nowMs: number): boolean {
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined) return false;
  if (isUnderWay(state)) return true;
  const times = timesOf(state);
  return times !== undefined && mayHaveExpired(policy, state.objectType, { times, nowMs });
}

function timesOf({ obtainedAtMs, answeredAtMs }: RecordState): AnswerTimes | undefined {
  return obtainedAtMs === undefined
    ? undefined
    : { obtainedAtMs, answeredAtMs: Math.max(obtainedAtMs, answeredAtMs ?? 0) };
}

interface DueRecords {
  /** Due records with their removal, including unfinished removals. */
  readonly due: readonly Wanted<Removal>[];
  /** Rules that read a property which HubSpot does not have. It is unknown whether their records are due. */
  readonly unreadable: readonly Extract<Retention, { kind: 'unreadable' }>[];
}

/** Finds the records that must lose their values now, by the policy's rules and HubSpot's values. */
export async function dueRecords(
  services: Pick<RemovalServices, 'crm' | 'policy' | 'clock'>,
  objectType: ObjectType,
  states: readonly RecordState[],
): Promise<DueRecords> {
  const { crm, policy, clock } = services;
  const begun = states.flatMap((state) =>
    state.removal && !state.removal.isDone ? [{ state, wish: state.removal }] : [],
  );
  const others = states.filter((state) => !begun.some((begunRecord) => begunRecord.state === state));
  if (others.length === 0) return { due: begun, unreadable: [] };
  const rules = propertiesOfRetention(policy, objectType);
  const isKnown = await knownProperties(services, objectType, rules);
  const ownProperties = rules.own.filter((name) => isKnown(name, objectType));
  const properties = [...new Set([...IDENTIFYING_PROPERTIES[objectType], ...ownProperties])];
  const ids = others.map(({ id }) => id);
  const companyProperties = rules.company.filter((name) => isKnown(name, 'companies'));
  const { records } = await readWithCompanies(crm, { objectType, ids, properties, companyProperties });
  const nowMs = clock.now();
  const due: Wanted<Removal>[] = [...begun];
  const unreadable: DueRecords['unreadable'][number][] = [];
  for (const state of others) {
    const record = records.get(state.id);
    const times = timesOf(state);
    if (record?.id !== state.id || !times) continue;
    const retention = retentionOf(policy, record, { times, nowMs, isKnown });
    if (retention.kind === 'unreadable') unreadable.push(retention);
    if (retention.kind === 'until' && retention.endMs <= nowMs)
      due.push({ state, wish: { by: 'retention', rule: retention.rule, atMs: nowMs } });
  }
  return { due, unreadable };
}
