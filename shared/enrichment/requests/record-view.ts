import type { Crm, ObjectType, RecordName } from '#shared/crm';
import { createExactForm, createNormalise } from '#shared/field-policy';
import { type Clock, DAY_MS } from '#shared/kernel';
import { mayWrite } from '#shared/ownership';
import type { QuestionOperation } from '#shared/questions';
import {
  type Change,
  historyOf,
  isUndo,
  type Journal,
  type JournalEntry,
  leaves,
  livingState,
  PRIORS,
  type RecordItems,
  type RecordState,
  standingOf,
  stillTrue,
  type WordedStanding,
  withResult,
  withWords,
} from '#shared/records';
import { type Finding, isUndecided, type Reviews } from '#shared/review';
import { arrivedOf } from '../write-back/arrived.ts';
import { isStatus } from '../write-back/draft.ts';

export interface ViewServices {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'ofRecord'>;
  readonly reviews: Pick<Reviews, 'read'>;
  readonly crm: Pick<Crm, 'read' | 'definitions'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** A finding that needs a decision; no values. */
export type ViewedFinding = Pick<Finding, 'kind' | 'reason' | 'foundAtMs'> & {
  /** Accepting it may write values; otherwise there is nothing to write. */
  readonly hasAnswer: boolean;
};

/** A value that we wrote last; the value itself is HubSpot's to show. */
export interface ViewedValue {
  readonly property: string;
  /** HubSpot's name of the property. */
  readonly label: string;
  readonly now: 'ours' | 'changed' | 'empty';
  readonly writtenAtMs: number;
  /** The run that wrote it, of this record or of one that was merged into it. */
  readonly run: { readonly recordId: string; readonly number: number };
}

/** A run that wrote one of the values. */
export interface ViewedRun {
  readonly recordId: string;
  readonly number: number;
  readonly atMs: number;
  readonly reason: string;
  /** Charged for the run. */
  readonly credits: number;
  readonly operation?: QuestionOperation | undefined;
  /** When its answer was given: before the run, where it was known already. */
  readonly answeredAtMs?: number | undefined;
}

/** What is known of a record, for the people who see it in HubSpot. */
export interface RecordView {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly standing: WordedStanding;
  /** It waits for its turn in a queue: a person's request is served at once. */
  readonly isQueued: boolean;
  /** Name of the policy's rule by which it was decided when it was last read; absent where the policy has no rules. */
  readonly rule?: string | undefined;
  /** In all runs. */
  readonly creditsSpent: number;
  /** Probability that the last answer is still true, 0 to 1; nothing before there was one. */
  readonly stillTrue?: number | undefined;
  readonly values: readonly ViewedValue[];
  readonly runs: readonly ViewedRun[];
  readonly findings: readonly ViewedFinding[];
}

/**
 * Whether a value is still ours is told by the journal, which keeps what we wrote: no secret is needed for it.
 * @throws UpstreamError `HUBSPOT_*` where HubSpot does not tell of the record.
 */
export async function viewRecord(
  services: ViewServices,
  name: RecordName,
): Promise<{ readonly view: RecordView; readonly state: RecordState }> {
  const state = await livingState(services, name);
  const { objectType, id, creditsSpent, rule } = state;
  const isHeld = state.forgottenAtMs === undefined;
  const entries = isHeld ? await historyOf(services, state) : [];
  const review = isHeld ? await services.reviews.read({ objectType, id }) : undefined;
  const values = entries.length > 0 ? await valuesOf(services, { state, entries }) : [];
  const view = {
    ...{ objectType, id, creditsSpent, rule, values },
    standing: withWords(standingOf(state)),
    isQueued: state.claim === undefined && state.run !== undefined && state.waiting?.reason === 'queued',
    stillTrue: trustIn(state, services.clock.now()),
    runs: entries.filter((entry) => values.some(({ run }) => isOf(entry, run))).map(runOf),
    findings: (review?.findings ?? []).filter(isUndecided).map(viewedFinding),
  };
  return { view, state };
}

function viewedFinding({ kind, reason, foundAtMs, answer }: Finding): ViewedFinding {
  return { kind, reason, foundAtMs, hasAnswer: answer !== undefined };
}

function trustIn({ objectType, answeredAtMs, changeRate }: RecordState, nowMs: number): number | undefined {
  if (answeredAtMs === undefined) return undefined;
  return stillTrue(changeRate ?? PRIORS[objectType], Math.max(0, nowMs - answeredAtMs) / DAY_MS);
}

async function valuesOf(
  { crm }: ViewServices,
  { state, entries }: { readonly state: RecordState; readonly entries: readonly JournalEntry[] },
): Promise<ViewedValue[]> {
  const { objectType, id } = state;
  const named = entries.flatMap(({ changes }) => changes.map(({ property }) => property));
  const properties = [...new Set(named)].filter((property) => !isStatus(property));
  const { records } = await crm.read({ objectType, ids: [id], properties });
  const definitions = await crm.definitions(objectType);
  const held = records.get(id)?.properties ?? {};
  const normalise = createNormalise(definitions);
  // For a write with an unknown result, HubSpot's history decides.
  const known = entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties: held, normalise }) }),
  );
  const exactForm = createExactForm(definitions);
  return properties.flatMap((property): ViewedValue[] => {
    const newest = newestWrite(known, property, held[property] ?? '');
    if (!newest || isUndo(newest.entry, newest.change) || newest.change.after === '') return [];
    const { entry, change } = newest;
    const value = held[property] ?? '';
    const isEqual = change.cut?.includes('after')
      ? value.startsWith(change.after)
      : exactForm(property, value) === exactForm(property, change.after);
    const verdict = mayWrite({
      ...{ ownership: state.ownership, verdicts: [], rule: { property, write: 'ours' } },
      ...{ current: { value, isJournalled: isEqual }, request: { by: 'person' } },
    });
    return [
      {
        property,
        label: definitions.get(property)?.label ?? property,
        now: value === '' ? 'empty' : verdict.may ? 'ours' : 'changed',
        writtenAtMs: entry.atMs,
        run: { recordId: entry.id, number: entry.run },
      },
    ];
  });
}

/** Of merged records that one whose value came through. */
function newestWrite(
  entries: readonly JournalEntry[],
  property: string,
  value: string,
): { readonly entry: JournalEntry; readonly change: Change } | undefined {
  const writes = entries.flatMap((entry) =>
    entry.changes
      .filter((change) => change.property === property && change.state === 'written')
      .map((change) => ({ entry, change })),
  );
  return writes.findLast(({ change }) => leaves(change, value)) ?? writes.at(-1);
}

function isOf(entry: JournalEntry, run: ViewedValue['run']): boolean {
  return entry.id === run.recordId && entry.run === run.number;
}

function runOf({ id, run, atMs, reason, credits, question }: JournalEntry): ViewedRun {
  const asked = question && { operation: question.operation, answeredAtMs: question.askedAtMs };
  return { recordId: id, number: run, atMs, reason, credits, ...asked };
}
