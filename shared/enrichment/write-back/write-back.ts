import { type CrmWriteResult, type ObjectType, recordKey } from '#shared/crm';
import { createMark, lastWrittenMarks } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { type Explanation, entryOf } from '#shared/ownership';
import { because, type Learned, type WaitingReason, type WriteOutcome, withNotes } from '#shared/records';
import type { FindingKind, NewFinding } from '#shared/review';
import { creditsOf, type RecordAnswer } from '../ask/answered.ts';
import { fingerprintOf } from '../memory.ts';
import { companyIdOf, portalOf } from '../read-records.ts';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  hubSpotFailure,
  type RecordClaim,
  type RecordReport,
  type RunOutcome,
} from '../services.ts';
import { answerWriter } from './answer-writer.ts';
import { type AssociationResult, associateWritten } from './associate.ts';
import { draftsOf, type WriteDraft } from './draft.ts';
import { guardedWrites, type WriteResult } from './guarded-writes.ts';
import type { Present, WritePlan } from './plan-writes.ts';
import { isStatus } from './statuses.ts';

export interface RunEnd {
  /** Has no HubSpot properties if the run ended before the read. */
  readonly held: RecordClaim | ClaimedRecord;
  readonly runOutcome: RunOutcome;
  readonly written: RecordReport['written'];
  /** Number of the answer's fields that were written and are not blank; 0 by default. */
  readonly fields?: number;
  /** Decisions for a person; absent if the run continues, or no answer was used. */
  readonly findings?: readonly NewFinding[] | undefined;
  /** Values of the answer that were not written, with the reason. */
  readonly kept?: WritePlan['kept'];
}

/** A run that is not settled, because the journal failed. A write without an entry could never be undone. */
export interface Unjournalled {
  readonly held: RecordClaim;
  readonly error: unknown;
}

/**
 * Writes answers and statuses of one object type to HubSpot. Each attempt is guarded. Only differences are written, in
 * few requests.
 * @param untilMs attempts and waits end before this time, epoch milliseconds.
 */
export async function writeBack(
  services: EnrichmentServices,
  {
    objectType,
    answers,
    untilMs,
  }: { objectType: ObjectType; answers: readonly RecordAnswer[]; untilMs: number },
): Promise<(RunEnd | Unjournalled)[]> {
  const portal = await portalOf(services, objectType);
  const { definitions } = portal;
  const drafts = await draftsOf(services, answers, portal);
  logDropped(services, drafts);
  const writer = answerWriter(services, { objectType, definitions });
  const written = await guardedWrites(services, { objectType, definitions, untilMs, writer }, drafts);
  const outcomes = outcomesOf(written);
  if (outcomes.length > 0) await services.writeBreakers.learn(objectType, outcomes);
  const associations = await associateWritten(services, { objectType, written });
  return written.map((each) => {
    if (each.kind === 'unjournalled') return { held: each.draft.held, error: each.error };
    if (each.kind === 'stopped') return stopped(services, each);
    const { held } = each.plan.draft;
    const association = associations.get(held.id) ?? {};
    if (association.failure) return { held, ...association.failure };
    return finish(services, { ...each, definitions, association });
  });
}

/**
 * Logs how many values did not fit, for each property. Only the journal has the reasons, because they may contain
 * values.
 */
function logDropped({ logger }: EnrichmentServices, drafts: readonly WriteDraft[]): void {
  for (const { held, dropped } of drafts) {
    if (dropped.length === 0) continue;
    const counts = Object.fromEntries(
      [...Map.groupBy(dropped, ({ property }) => property)].map(([property, list]) => [
        property,
        list.length,
      ]),
    );
    logger.info('values-dropped', { recordId: recordKey(held), counts });
  }
}

/** HubSpot returned the other records of the batch, so a retry within the minute is unlikely to help. */
const UNREACHABLE_MS = 15 * MINUTE_MS;

type Done = Extract<WriteResult<WritePlan>, { kind: 'done' }> &
  Pick<Present, 'definitions'> & { readonly association: AssociationResult };

function finish(services: EnrichmentServices, done: Done): RunEnd {
  const { plan, result, definitions, openUntilMs, association } = done;
  const { draft, current } = plan;
  const { held, answered } = draft;
  const credits = creditsOf(answered);
  const nowMs = services.clock.now();
  if (current === 'changed') return later(held, { reason: 'CHANGED_MEANWHILE', untilMs: nowMs, credits });
  if (current === 'unreadable' || result?.kind === 'postponed') {
    // The paid answer stays stored, and is written later.
    return later(held, { reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs: nowMs + UNREACHABLE_MS, credits });
  }
  if (current === 'gone') {
    const gone = { kind: 'outcome', outcome: 'skipped', reason: because('gone') } as const;
    return { held, runOutcome: { ...gone, credits, learned: { isGone: true } }, written: [] };
  }
  const stored = result?.kind === 'written' ? result.properties : {};
  const sent = result?.kind === 'refused' ? [] : Object.keys(plan.writes);
  const written = sent.map((property) => ({
    property,
    before: current.properties[property] ?? null,
    after: stored[property] ?? plan.writes[property] ?? '',
  }));
  const fields = plan.filled.filter((name) => sent.includes(name) && plan.writes[name] !== '').length;
  const values = Object.fromEntries(plan.filled.map((name) => [name, stored[name] ?? null]));
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const wait = waitOf(services, { plan, result, association, openUntilMs });
  const newOwnership = {
    ...plan.learned,
    written: { ...plan.learned.written, ...lastWrittenMarks(values, mark) },
    seenFilled: seenOfOthers(plan),
  };
  if (wait) return { ...later(held, { ...wait, credits }, { ownership: newOwnership }), written, fields };
  const { domain: companyDomain = current.companyDomain } = association.company ?? {};
  const recordAfterWrite = { ...current, companyDomain, properties: { ...current.properties, ...stored } };
  const fingerprint = fingerprintOf(recordAfterWrite, services);
  const hadCompany = association.company || companyIdOf(current) ? { hadCompany: true } : {};
  const released = plan.filled.filter((name) => sent.includes(name) && plan.writes[name] === '');
  const ownership = { ...newOwnership, released };
  const hasRefusedValues = (draft.leftOut ?? []).some(({ property }) => !isStatus(property));
  const learned = { fingerprint, ...learnedOf(draft), ...hadCompany, hasRefusedValues, ownership };
  const { outcome, status, reason } = withoutWrite(plan, result);
  const ofAssociation =
    association.result ?? (association.isProposed ? because('not-associated') : undefined);
  const isExamined = answered.kind === 'found' || draft.isUnclear || draft.hasNewIdentity;
  const findings = isExamined ? findingsOf(plan, association) : undefined;
  return {
    held,
    runOutcome: {
      kind: 'outcome',
      outcome,
      status,
      reason: withNotes(reason, ofAssociation ? [ofAssociation] : []),
      credits,
      learned,
    },
    written,
    fields,
    findings,
    kept: plan.kept,
  };
}

/**
 * Returns properties that others filled after this run's read. If they are emptied before the next read, they stay
 * empty.
 */
function seenOfOthers({ kept, ownership }: WritePlan): string[] {
  return kept.flatMap(({ property, reason }) =>
    (reason === 'not-blank' || reason === 'person-wrote' || reason === 'unproved') &&
    entryOf(ownership, property).written === undefined
      ? [property]
      : [],
  );
}

/** Returns why the run must continue and when; `undefined` if it ends. */
function waitOf(
  { clock }: EnrichmentServices,
  { plan, result, association, openUntilMs }: Omit<Done, 'definitions' | 'kind'>,
): Omit<Wait, 'credits'> | undefined {
  const { held, answered } = plan.draft;
  // An earlier attempt may still arrive. After its lifetime, the next run checks its result.
  if (openUntilMs !== undefined) return { reason: 'WRITE_UNCONFIRMED', untilMs: openUntilMs };
  const refusal = refusalOf(plan, result);
  const untilMs = clock.now() + refusalBackoffMs(clock.now() - held.run.openedAtMs);
  if (refusal && answered.kind === 'found' && untilMs < answered.expiresAtMs)
    return {
      reason: 'HUBSPOT_REFUSES',
      params: { why: refusal },
      detail: `HubSpot refuses the bought values: ${refusal}.`,
      untilMs,
    };
  return association.wait;
}

/** Returns the backoff after refusals. It grows with the age of the run. */
function refusalBackoffMs(ageMs: number): number {
  return Math.min(DAY_MS, Math.max(15 * MINUTE_MS, ageMs));
}

/**
 * Returns the end of a run whose write HubSpot refused. The refusal lasted until the answer was too old, or it
 * concerned only the status.
 */
function withoutWrite(
  { outcome, status, reason, filled }: WritePlan,
  result: CrmWriteResult | undefined,
): Pick<WritePlan, 'outcome' | 'status' | 'reason'> {
  if (result?.kind !== 'refused') return { outcome, status, reason };
  const refused = withNotes(reason, [because('write-refused', { why: result.reason })]);
  if (filled.length > 0) return { outcome: 'failed', status: 'failed', reason: refused };
  return { outcome, status, reason: refused };
}

/** Postpones the run by HubSpot's delay, and until unknown attempts can be checked. */
function stopped(
  { clock, logger }: EnrichmentServices,
  { draft, error, openUntilMs = 0 }: Extract<WriteResult<WritePlan>, { kind: 'stopped' }>,
): RunEnd {
  const { held, answered } = draft;
  const { reason, untilMs } = hubSpotFailure(error, { clock, logger });
  return later(held, {
    reason,
    untilMs: Math.max(untilMs, openUntilMs),
    credits: creditsOf(answered),
  });
}

interface Wait {
  readonly reason: WaitingReason;
  readonly detail?: string;
  readonly params?: Explanation['params'];
  readonly untilMs: number;
  readonly credits: number;
}

function later(held: ClaimedRecord, wait: Wait, learned: Learned = {}): RunEnd {
  return { held, runOutcome: { kind: 'deferred', ...wait, learned }, written: [] };
}

function learnedOf({ answered, status, reason, employer }: WriteDraft): Learned {
  if (answered.kind === 'ended') return answered.runOutcome.learned;
  const { askedAtMs, questionKey, expiresAtMs } = answered;
  return {
    answeredAtMs: askedAtMs,
    answeredQuestion: questionKey,
    staleAtMs: expiresAtMs,
    ...(employer && { employer }),
    ...(status === 'review' && { verdicts: [{ questionKey, askedAtMs, rejected: { reason } }] }),
  };
}

/**
 * Explains to a person which values HubSpot refuses now and may accept later: all values of the answer, or the values
 * that were left out. A refused status needs no retry.
 */
function refusalOf(plan: WritePlan, result: CrmWriteResult | undefined): string | undefined {
  const { draft, filled, back } = plan;
  const hasValues = filled.length > 0 || Object.keys(back).length > 0;
  if (result?.kind === 'refused' && hasValues) return result.reason;
  const liftable = (draft.leftOut ?? []).filter(
    ({ property, isLiftable }) => isLiftable && !isStatus(property),
  );
  return liftable.length > 0
    ? liftable.map(({ property, reason }) => `${property}: ${reason}`).join(', ')
    : undefined;
}

/** Returns the decisions that a person must make about an answer. */
function findingsOf(plan: WritePlan, association: AssociationResult): NewFinding[] {
  const { draft, isMixed, proposed } = plan;
  const { answered, elsewhere, followed, status, reason } = draft;
  if (draft.isUnclear) return [{ kind: 'contradiction', reason, purpose: draft.held.run.purpose }];
  if (answered.kind !== 'found' || draft.outcome === 'skipped') return [];
  const { questionKey, operation, askedAtMs, askedDomain, held } = answered;
  const { answeredAtMs, employer } = held.state;
  const newFinding = (kind: FindingKind, why: Explanation, properties?: readonly string[]): NewFinding => ({
    kind,
    reason: why,
    purpose: held.run.purpose,
    answer: { questionKey, operation, askedAtMs, ...(askedDomain !== undefined && { askedDomain }) },
    ...(properties && { properties }),
    before: { answeredAtMs, employer },
  });
  const proposedProperties = [...proposed, ...(association.isProposed ? ['associatedcompanyid'] : [])];
  const proposal = proposedProperties.length > 0 ? [newFinding('proposal', reason, proposedProperties)] : [];
  if (status === 'review')
    return [newFinding(elsewhere ? 'job-change' : 'contradiction', reason), ...proposal];
  const { result, company } = association;
  return [
    ...(isMixed ? [newFinding('job-change', plan.reason)] : []),
    ...(result && !company ? [newFinding('association', result)] : []),
    ...(followed?.by === 'association' && !answered.accepted
      ? [newFinding('association', followed.reason)]
      : []),
    ...proposal,
  ];
}

/**
 * Returns whether HubSpot accepts paid values. Each refused record counts one time, because a retry that is refused
 * again says nothing about other records.
 */
function outcomesOf(results: readonly WriteResult<WritePlan>[]): WriteOutcome[] {
  return results.flatMap((each) => outcomeOf(each) ?? []);
}

function outcomeOf(written: WriteResult<WritePlan>): WriteOutcome | undefined {
  if (written.kind === 'unjournalled') return undefined;
  if (written.kind === 'stopped') {
    const { code, message: reason } = written.error;
    const isNew = written.draft.held.run.answeredQuestion === undefined;
    return isNew && code === 'HUBSPOT_FORBIDDEN' ? { reason, properties: [] } : undefined;
  }
  const { plan, result } = written;
  if (plan.filled.length === 0) return undefined;
  if (result?.kind === 'written') return 'written';
  const isNew = plan.draft.held.run.answeredQuestion === undefined;
  return isNew && result?.kind === 'refused' ? result : undefined;
}
