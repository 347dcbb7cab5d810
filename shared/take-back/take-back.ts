import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import {
  authorOf,
  backOf,
  broughtBackOf,
  differingStatuses,
  type EnrichmentServices,
  guardedWrites,
  holdRecord,
  type LeftOut,
  lastWrite,
  NOTHING_RECOVERED,
  type PlannedWrite,
  plannedChanges,
  type RecordClaim,
  type RecoveredRecord,
  readWithCompanies,
  STATUS_PROPERTIES,
  WRITE_LIFETIME_MS,
  type WriteResult,
  type Writer,
  withoutRefusedReturns,
} from '#shared/enrichment';
import { createMark } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { mayWrite, type WriteVerdictCode } from '#shared/ownership';
import { historyOf, type JournalEntry, type RecordState } from '#shared/records';

export type TakeBackServices = Pick<
  EnrichmentServices,
  'together' | 'records' | 'journal' | 'crm' | 'policy' | 'ownAppId' | 'clock' | 'newId' | 'digest'
>;

/** A record from which values are taken back, and the wish: an undo or a removal. */
export interface Wanted<W> {
  readonly state: RecordState;
  readonly wish: W;
  /** For each property: a person's value that an earlier attempt replaced or restored. Such values stay. */
  readonly theirs?: Readonly<Record<string, string>> | undefined;
  /** Properties that HubSpot refused to write. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export interface TakeBackPlan {
  /** For each property with our value: the value that takes its place. */
  readonly values: Readonly<Record<string, string>>;
  /** The present record; `undefined` if HubSpot does not have it. */
  readonly current: CrmRecord | undefined;
}

/** A record that this worker holds to take values back. */
export interface HeldWanted<W> extends Omit<Wanted<W>, 'state'> {
  readonly held: RecordClaim;
}

/** A plan for a record that this worker holds. */
export interface PlannedFor<W, P> {
  readonly draft: HeldWanted<W>;
  readonly plan: P;
  readonly definitions: PropertyDefinitions;
}

export interface Planned<W, P> extends PlannedWrite {
  readonly draft: HeldWanted<W>;
  readonly plan: P;
}

/** One way of taking values back: an undo puts the former value in their place, a removal a blank. */
export interface TakingBack<S, W, P extends TakeBackPlan, R> {
  /** Longest claim. It needs only a few requests to HubSpot, and blocks workers no longer than this time. */
  readonly claimMs: number;
  /** Time kept for the outcome after HubSpot's last answer. */
  readonly settleMs: number;
  readonly holding?: (wish: W) => Partial<Parameters<typeof holdRecord>[2]>;
  /** Plans by the present values. @returns the plans in the given order. */
  readonly plan: (services: S, objectType: ObjectType, wanted: readonly Wanted<W>[]) => Promise<readonly P[]>;
  /** Returns the values that count as a person's from now on. */
  readonly theirs: (values: P['values']) => P['values'];
  /** Returns the statuses of the record afterwards. @param isWritten whether any value is written. */
  readonly statuses: (planned: PlannedFor<W, P> & { readonly isWritten: boolean }) => Record<string, string>;
  /** Returns the journal entry's own part. */
  readonly entry: (
    planned: PlannedFor<W, P>,
  ) => Pick<JournalEntry, 'kind' | 'outcome' | 'reason'> & Partial<JournalEntry>;
  readonly finish: (services: S, taken: TakenBack<W, P>) => Promise<R>;
}

/** Result of one record's writes. */
export interface TakenBack<W, P> {
  readonly draft: HeldWanted<W>;
  /** Absent if HubSpot as a whole failed before the write. */
  readonly planned?: Planned<W, P> | undefined;
  /** Why HubSpot did not accept the write; `not-allowed` if this worker no longer holds the record. */
  readonly failure: string | undefined;
  readonly definitions: PropertyDefinitions;
}

/**
 * Puts other values in place of ours. Each write is guarded, journalled and can be interrupted. Meanwhile no worker
 * enriches the records; a waiting run continues afterwards.
 * @returns the results in the order of the wanted records. `busy`: a worker holds the record, or a paid answer waits.
 * @throws the first failure of the journal, after all other records. The claim then expires, and the next worker continues.
 */
export async function takeBack<S extends TakeBackServices, W, P extends TakeBackPlan, R>(
  given: S,
  how: TakingBack<S, W, P, R>,
  { objectType, wanted }: { readonly objectType: ObjectType; readonly wanted: readonly Wanted<W>[] },
): Promise<readonly (R | 'busy' | 'forgotten')[]> {
  const { claimMs, settleMs } = how;
  const endMs = given.clock.now() + claimMs - settleMs;
  const results: (R | 'busy' | 'forgotten')[] = [];
  const drafts: HeldWanted<W>[] = [];
  const places = new Map<string, number>();
  for (const [at, { state, wish }] of wanted.entries()) {
    const held = await holdRecord(given, state, { claimMs, ...how.holding?.(wish) });
    if (typeof held === 'string') {
      results[at] = held;
      continue;
    }
    drafts.push({ held, wish });
    places.set(held.id, at);
  }
  if (drafts.length === 0) return results;
  const services = { ...given, crm: given.crm.until(endMs) };
  const definitions = await services.crm.definitions(objectType);
  const writer = writerOf(services, how, { objectType, definitions });
  const writing = { objectType, definitions, writer, untilMs: endMs - WRITE_LIFETIME_MS };
  const written = await guardedWrites(services, { ...writing, awaitsResults: true }, drafts);
  const unjournalled: unknown[] = [];
  for (const each of written) {
    if (each.kind === 'unjournalled') {
      unjournalled.push(each.error);
      continue;
    }
    const planned = each.kind === 'done' ? each.plan : undefined;
    const draft = each.kind === 'done' ? each.plan.draft : each.draft;
    const taken = { draft, planned, failure: failureOf(each), definitions };
    results[places.get(draft.held.id) ?? -1] = await how.finish(services, taken);
  }
  if (unjournalled.length > 0) throw unjournalled[0];
  return results;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

function writerOf<S extends TakeBackServices, W, P extends TakeBackPlan>(
  services: S,
  how: TakingBack<S, W, P, unknown>,
  { objectType, definitions }: Portal,
): Writer<Planned<W, P>> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const before = drafts.map(({ held }) => recovered.get(held.id) ?? NOTHING_RECOVERED);
      const wanted = drafts.map(({ held, ...rest }, at) => {
        return { state: held.state, theirs: before[at]?.theirs, ...rest };
      });
      const made = await how.plan(services, objectType, wanted);
      const plans = drafts.flatMap((draft, at) => {
        const [plan, recoveredRecord] = [made[at], before[at]];
        return plan && recoveredRecord
          ? [plannedOf(services, how, { draft, plan, before: recoveredRecord, definitions })]
          : [];
      });
      return { plans, readAtMs };
    },
    entryOf: (planned) => journalEntryOf(services, how, { planned, definitions }),
    withoutRefused: withoutRefusedReturns,
  };
}

interface Planning<W, P> extends PlannedFor<W, P> {
  readonly before: RecoveredRecord;
}

function plannedOf<S extends TakeBackServices, W, P extends TakeBackPlan>(
  { digest }: S,
  how: TakingBack<S, W, P, unknown>,
  { draft, plan: wanted, before, definitions }: Planning<W, P>,
): Planned<W, P> {
  const { current } = wanted;
  const mark = createMark({ definitions, hash: digest.keyed });
  const lost = Object.entries(current ? backOf(before, current) : {});
  // A value that is put back anyway needs no restoration of its own.
  const back = Object.fromEntries(lost.filter(([property, value]) => wanted.values[property] !== value));
  const values = Object.fromEntries(
    Object.entries(wanted.values).filter(([property]) => !Object.hasOwn(back, property)),
  );
  const plan = { ...wanted, values };
  const isWritten = Object.keys(values).length + Object.keys(back).length > 0;
  const statuses = how.statuses({ draft, plan, definitions, isWritten });
  const { leftOut } = draft;
  const theirs = Object.entries(how.theirs(values)).map(([property, value]) => [
    property,
    mark(property, value),
  ]);
  return {
    draft,
    plan,
    back,
    writes: { ...values, ...back, ...differingStatuses(statuses, { definitions, current, leftOut }) },
    filled: Object.keys(values),
    broughtBack: { ...Object.fromEntries(theirs), ...broughtBackOf(before, mark) },
  };
}

/** Builds the journal entry of a plan. Values that count as a person's are marked as undone. */
export function journalEntryOf<S extends TakeBackServices, W, P extends TakeBackPlan>(
  { policy, clock }: S,
  how: TakingBack<S, W, P, unknown>,
  { planned, definitions }: { readonly planned: Planned<W, P> } & Pick<Portal, 'definitions'>,
): JournalEntry {
  const { draft, plan, writes, back } = planned;
  const { objectType, id, state, run } = draft.held;
  const nowMs = clock.now();
  const undone = { ...back, ...how.theirs(plan.values) };
  return {
    objectType,
    id,
    purpose: 'manual',
    run: state.runsOpened,
    policyVersion: policy.version,
    atMs: nowMs,
    sentAtMs: nowMs,
    eventKeys: [],
    credits: run.credits,
    ...how.entry({ draft, plan, definitions }),
    changes: plannedChanges({ current: plan.current, writes, back: undone }),
  };
}

/** Returns the reason why HubSpot did not accept the write. */
function failureOf<W, P>(
  written: Exclude<WriteResult<Planned<W, P>>, { kind: 'unjournalled' }>,
): string | undefined {
  if (written.kind === 'stopped') return written.error.code;
  const { plan, result } = written;
  if (result === undefined) return Object.keys(plan.writes).length > 0 ? 'not-allowed' : undefined;
  return result.kind === 'written' ? undefined : result.reason;
}

/** What is known of a record before its values are taken back. */
export interface Facts {
  readonly entries: readonly JournalEntry[];
  readonly current: CrmRecord | undefined;
  readonly isUnreadable: boolean;
  readonly definitions: PropertyDefinitions;
  /** The properties that may hold our values. */
  readonly names: readonly string[];
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
}

/**
 * Reads the journal, HubSpot's history and the present values of records of one object type.
 * @param namesOf names of the properties of a record that may hold our values.
 * @returns the facts in the given order.
 */
export async function readFacts(
  services: TakeBackServices,
  objectType: ObjectType,
  {
    states,
    namesOf,
  }: {
    readonly states: readonly RecordState[];
    readonly namesOf: (state: RecordState, entries: readonly JournalEntry[]) => readonly string[];
  },
): Promise<readonly Facts[]> {
  const entries = await Promise.all(states.map((state) => historyOf(services, state)));
  const definitions = await services.crm.definitions(objectType);
  const asked = states.map((state, at) => ({ id: state.id, properties: namesOf(state, entries[at] ?? []) }));
  const history = await services.crm.history({ objectType, records: asked });
  const names = [...asked.flatMap(({ properties }) => properties), ...IDENTIFYING_PROPERTIES[objectType]];
  const properties = [...new Set([...names, ...STATUS_PROPERTIES])];
  // Reads the values last, so that the write follows directly after the read.
  const query = { objectType, ids: asked.map(({ id }) => id), properties };
  const { records, failed } = await readWithCompanies(services.crm, query);
  return asked.map(({ id, properties: own }, at) => ({
    entries: entries[at] ?? [],
    current: records.get(id),
    isUnreadable: failed.has(id),
    definitions,
    names: own,
    versions: history.get(id) ?? {},
  }));
}

interface SeenProperty extends Pick<Facts, 'current' | 'definitions' | 'versions'> {
  readonly state: RecordState;
  readonly property: string;
}

/** Why a value stays: a stable code, and its words for a person. */
export interface NotOurs {
  readonly code: WriteVerdictCode | 'record-gone' | 'not-writable' | 'written-later' | 'too-long' | 'refused';
  readonly reason: string;
}

/**
 * Explains why it is not proved that a value is ours to remove; `undefined` if it is proved.
 * @param isJournalled whether the journal says that we wrote this value. Without this check, only the property itself
 * is tested.
 */
export function whyNotOurs(
  { ownAppId, digest }: Pick<EnrichmentServices, 'ownAppId' | 'digest'>,
  { state, property, current, definitions, versions }: SeenProperty,
  isJournalled?: (value: string) => boolean,
): NotOurs | undefined {
  if (!current) return { code: 'record-gone', reason: 'the record is no longer in HubSpot' };
  const definition = definitions.get(property);
  if (!definition || definition.readOnly)
    return { code: 'not-writable', reason: 'the property cannot be written any more' };
  if (!isJournalled) return undefined;
  const value = current.properties[property] ?? '';
  // A person may have typed our value again. Then the value is the person's.
  const newest = lastWrite(versions[property]);
  const author = newest && authorOf(newest, ownAppId);
  // If our last write was another value, it proves nothing about this value.
  const lastBy = author === 'us' && newest?.value !== value ? undefined : author;
  const mark = createMark({ definitions, hash: digest.keyed })(property, value);
  const verdict = mayWrite({
    ownership: state.ownership,
    verdicts: [],
    rule: { property, write: 'take-back' },
    current: { value, mark, isJournalled: isJournalled(value), lastBy },
    request: { by: 'person' },
  });
  return verdict.may ? undefined : { code: verdict.code, reason: verdict.says };
}
