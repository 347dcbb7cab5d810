import { askerWords, type Crm, type ObjectType, type RecordName, shownValue } from '#shared/crm';
import { arrivedOf, type Extension, isStatus, nextCheckAtMs, reopensAfter } from '#shared/enrichment';
import { createExactForm, createNormalise, type Policy } from '#shared/field-policy';
import type { Clock } from '#shared/kernel';
import { mayWrite } from '#shared/ownership';
import type { QuestionOperation } from '#shared/questions';
import {
  type Change,
  explanationText,
  historyOf,
  isUndo,
  type Journal,
  type JournalEntry,
  leaves,
  livingState,
  type RecordItems,
  type RecordState,
  standingOf,
  totalCredits,
  unlistedCredits,
  type WordedStanding,
  waitNow,
  withResult,
  withWords,
} from '#shared/records';
import { type Finding, findingWords, isUndecided, type Reviews } from '#shared/review';

export interface ViewServices {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'ofRecord'>;
  readonly reviews: Pick<Reviews, 'read'>;
  readonly extensions: readonly Pick<Extension, 'reopensAfter'>[];
  readonly crm: Pick<Crm, 'read' | 'definitions'>;
  readonly policy: Policy;
  readonly clock: Pick<Clock, 'now'>;
}

/** A finding that needs a decision. It holds no values. */
type ViewedFinding = Pick<Finding, 'kind' | 'foundAtMs'> & {
  readonly code: string;
  readonly reason: string;
  /** The other records that the reason is about: `contacts#123`. */
  readonly others: readonly string[];
  /** Whether accepting the finding can write values. */
  readonly hasAnswer: boolean;
};

/** A property whose value we wrote last. It is sent only to the person at the card, and never logged. */
interface ViewedValue {
  readonly property: string;
  /** HubSpot's name of the property. */
  readonly label: string;
  readonly now: 'ours' | 'changed' | 'empty';
  /**
   * The former value and the present one, as HubSpot shows them. Empty texts for blanks. Our own value is the former one if others changed it.
   */
  readonly before: string;
  readonly value: string;
  /** Time of our write. */
  readonly writtenAtMs: number;
  /** The run that wrote the value, of this record or of a record that was merged into it. */
  readonly run: { readonly recordId: string; readonly number: number };
}

/** A run that was charged, used an answer or took values back. */
interface ViewedRun {
  readonly recordId: string;
  readonly number: number;
  readonly atMs: number;
  readonly code: string;
  readonly reason: string;
  /** Credits charged for the run. */
  readonly credits: number;
  /** The asker, for a person. */
  readonly askedBy?: string | undefined;
  readonly operation?: QuestionOperation | undefined;
  /** Time of the answer. It is earlier than the run if a stored answer was used. */
  readonly answeredAtMs?: number | undefined;
}

/** Our knowledge about a record, for people who see the record in HubSpot. */
export interface RecordView {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly standing: WordedStanding;
  /** Whether the record waits in a queue. A person's request is served without this wait. */
  readonly isQueued: boolean;
  /** Name of the policy's rule that decided about the record at its last read. Absent if it was not read by a rule. */
  readonly rule?: string | undefined;
  /** Credits charged for the record: those of `runs`, and the others. */
  readonly creditsSpent: number;
  /** Credits of runs that the journal does not have. */
  readonly unlistedCredits: number;
  /** Time of the last answer. Absent before the first answer. */
  readonly checkedAtMs?: number | undefined;
  /** Time from which the record is due for its next lookup. Absent if it is not refreshed. */
  readonly nextCheckAtMs?: number | undefined;
  readonly values: readonly ViewedValue[];
  readonly runs: readonly ViewedRun[];
  readonly findings: readonly ViewedFinding[];
  /** Time zone of the policy. */
  readonly timeZone: string;
}

/**
 * Builds the view of a record. The journal keeps the values that we wrote, so it shows whether a value is still ours.
 * No secret is needed for this.
 * @param isStoppedByPerson whether a person has stopped spending.
 * @throws UpstreamError `HUBSPOT_*` if HubSpot does not return the record.
 */
export async function viewRecord(
  services: ViewServices,
  name: RecordName,
  isStoppedByPerson: boolean,
): Promise<{ readonly view: RecordView; readonly state: RecordState }> {
  const state = await livingState(services, name);
  const { objectType, id } = state;
  const waiting = waitNow(state, isStoppedByPerson);
  const isHeld = state.forgottenAtMs === undefined;
  const entries = isHeld ? await historyOf(services, state) : [];
  const review = isHeld ? await services.reviews.read({ objectType, id }) : undefined;
  const values = entries.length > 0 ? await valuesOf(services, { state, entries }) : [];
  const runs = entries.filter(isListed);
  const now = {
    nowMs: services.clock.now(),
    isStoppedByPerson,
    reopensAfter: await reopensAfter(services.extensions, state),
  };
  const view = {
    objectType,
    id,
    rule: state.rule ?? (services.policy.whom[objectType] ? undefined : NO_RULES),
    values,
    creditsSpent: totalCredits(state),
    unlistedCredits: unlistedCredits(state, runs),
    standing: withWords(standingOf(state, now)),
    isQueued: state.claim === undefined && state.run !== undefined && waiting?.reason === 'queued',
    checkedAtMs: state.answeredAtMs,
    nextCheckAtMs: nextCheckAtMs(services.policy, state),
    runs: runs.map(runOf),
    findings: (review?.findings ?? []).filter(isUndecided).map(viewedFinding),
    timeZone: services.policy.timeZone,
  };
  return { view, state };
}

const NO_RULES = 'None: the policy has no rules';

function viewedFinding({ kind, reason, foundAtMs, answer }: Finding): ViewedFinding {
  return {
    kind,
    ...findingWords(reason),
    foundAtMs,
    hasAnswer: answer !== undefined,
  };
}

async function valuesOf(
  { crm, policy }: ViewServices,
  { state, entries }: { readonly state: RecordState; readonly entries: readonly JournalEntry[] },
): Promise<ViewedValue[]> {
  const { objectType, id } = state;
  const writtenNames = entries.flatMap(({ changes }) => changes.map(({ property }) => property));
  const properties = [...new Set(writtenNames)].filter((property) => !isStatus(property));
  const { records } = await crm.read({ objectType, ids: [id], properties });
  const definitions = await crm.definitions(objectType);
  const currentValues = records.get(id)?.properties ?? {};
  const normalise = createNormalise(definitions);
  // For a write with an unknown result, HubSpot's history decides.
  const resolvedEntries = entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties: currentValues, normalise }) }),
  );
  const exactForm = createExactForm(definitions);
  return properties.flatMap((property): ViewedValue[] => {
    const newest = newestWrite(resolvedEntries, property, currentValues[property] ?? '');
    if (!newest || isUndo(newest.entry, newest.change) || newest.change.after === '') return [];
    const { entry, change } = newest;
    const value = currentValues[property] ?? '';
    const isEqual = change.cut?.includes('after')
      ? value.startsWith(change.after)
      : exactForm(property, value) === exactForm(property, change.after);
    const verdict = mayWrite({
      ownership: state.ownership,
      verdicts: [],
      rule: { property, write: 'ours' },
      current: { value, isJournalled: isEqual },
      request: { by: 'person' },
    });
    const now = value === '' ? 'empty' : verdict.may ? 'ours' : 'changed';
    const definition = definitions.get(property);
    const shown = (text: string) =>
      definition && text !== '' ? shownValue(definition, text, policy.timeZone) : text;
    return [
      {
        property,
        before: shown(now === 'ours' ? (change.before ?? '') : change.after),
        value: shown(value),
        label: definition?.label ?? property,
        now,
        writtenAtMs: entry.atMs,
        run: { recordId: entry.id, number: entry.run },
      },
    ];
  });
}

/**
 * Returns the write whose value HubSpot holds now; otherwise the newest write. After a merge, an older write may be the
 * one that HubSpot kept.
 */
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

/** Whether the run was charged, used an answer or took values back. */
function isListed({ credits, kind, question }: JournalEntry): boolean {
  return credits > 0 || question !== undefined || kind !== 'enrichment';
}

function runOf({ id, run, atMs, reason, credits, question, askedBy }: JournalEntry): ViewedRun {
  return {
    recordId: id,
    number: run,
    atMs,
    code: reason.code,
    reason: explanationText(reason),
    credits,
    ...(askedBy !== undefined && { askedBy: askerWords(askedBy) }),
    ...(question && { operation: question.operation, answeredAtMs: question.askedAtMs }),
  };
}
