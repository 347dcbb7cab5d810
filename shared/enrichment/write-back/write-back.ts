import {
  type CrmReading,
  type CrmWriteResult,
  isAboutPerson,
  type ObjectType,
  type PropertyDefinitions,
  recordKey,
} from '#shared/crm';
import {
  createMark,
  employerProperties,
  lastWrittenMarks,
  type Policy,
  propertiesOfNotices,
  propertiesOfRules,
} from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { type Explanation, entryOf } from '#shared/ownership';
import { disclosedPerson, identifiersOfAnswer } from '#shared/questions';
import {
  backfillRunOf,
  because,
  type JournalEntry,
  type Learned,
  type WaitingReason,
  type WriteOutcome,
  withNotes,
} from '#shared/records';
import type { FindingKind, NewFinding } from '#shared/review';
import { creditsOf, type RecordAnswer } from '../ask/endings.ts';
import { firstShownMs, needsFirst, obtainedBefore } from '../ask/known-answer.ts';
import { fingerprintOf } from '../memory.ts';
import { companyIdOf, knownProperties, portalOf, readWithCompanies } from '../read-records.ts';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  hubSpotFailure,
  type RecordClaim,
  type RecordReport,
  type RunOutcome,
} from '../services.ts';
import { type AssociationResult, associateWritten } from './associate.ts';
import { emptiedMeanwhile, ownByHistory, type Recovered } from './by-history.ts';
import { draftsOf, isStatus, STATUS_PROPERTIES, type WriteDraft, withoutRefused } from './draft.ts';
import { guardedWrites, plannedChanges, type WriteResult, type Writer } from './guarded-writes.ts';
import { type Present, planWrites, type WritePlan } from './plan-writes.ts';

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/** Writes an answer to a record by the policy's rules. Without an answer, writes only the status. */
function answerWriter(services: EnrichmentServices, portal: Portal): Writer<WritePlan> {
  return {
    plan: (drafts, recovered) => planAnswers(services, { ...portal, drafts, recovered }),
    entryOf: (plan) => journalEntryOf(services, plan),
    disclose: (plan) => discloseValues(services, plan),
    withoutRefused,
  };
}

interface Reading extends Portal {
  readonly drafts: readonly WriteDraft[];
  readonly recovered: Recovered;
}

/** Plans the writes. If it must read the records' history, it then reads the records again. */
async function planAnswers(services: EnrichmentServices, reading: Reading) {
  const { drafts, definitions, recovered } = reading;
  let readAtMs = services.clock.monotonic();
  let now = await readNow(services, reading);
  const withHistory = await ownByHistory(services, { ...reading, now });
  const checkedDrafts = await emptiedMeanwhile(services, drafts, now);
  if (withHistory || checkedDrafts !== drafts) {
    readAtMs = services.clock.monotonic();
    now = await readNow(services, reading);
  }
  const firstAtMs = await firstObtained(services, checkedDrafts, now);
  const isKnown = await knownProperties(services, reading.objectType);
  const present = { now, definitions, isKnown, recovered: withHistory ?? recovered, firstAtMs };
  return { plans: checkedDrafts.map((draft) => planWrites(services, draft, present)), readAtMs };
}

/** The properties that every plan of a write reads. The rules decide about values, statuses and notices. */
export function plannedProperties(policy: Policy, objectType: ObjectType) {
  const rules = propertiesOfRules(policy, objectType);
  const isPerson = isAboutPerson({ objectType });
  const notices = isPerson ? propertiesOfNotices(policy) : { own: [], company: [] };
  const ofPeople = isPerson ? [...employerProperties(policy), 'enrichment_notice_sent_at'] : [];
  const ids = IDENTIFYING_PROPERTIES[objectType];
  const own: readonly string[] = [...STATUS_PROPERTIES, ...ofPeople, ...ids, ...rules.own, ...notices.own];
  return { own, company: [...new Set([...rules.company, ...notices.company])] };
}

async function readNow(
  { crm, policy }: EnrichmentServices,
  { objectType, drafts, recovered }: Reading,
): Promise<CrmReading> {
  const planned = plannedProperties(policy, objectType);
  const properties = new Set<string>(planned.own);
  for (const { proposals } of drafts) for (const { property } of proposals) properties.add(property);
  // Any field may hold a value of a former person or company. Such a value must be cleared.
  if (drafts.some(({ hasNewIdentity }) => hasNewIdentity))
    for (const { property } of policy.fields[objectType]) properties.add(property);
  // A value to restore may no longer be among the proposals.
  for (const { taken } of recovered.values()) for (const name of Object.keys(taken)) properties.add(name);
  // A company's change may stop a rule from admitting its contact, so the company is read again too.
  const companyProperties = planned.company;
  const seen = companyProperties.length > 0 ? [] : drafts.map(({ held }) => held.record);
  const ids = drafts.map(({ held }) => held.id);
  const query = { objectType, ids, properties: [...properties], companyProperties };
  return readWithCompanies(crm, query, seen);
}

function journalEntryOf({ policy, clock }: EnrichmentServices, plan: WritePlan): JournalEntry {
  const { draft, outcome } = plan;
  const { held, answered } = draft;
  const { objectType, id, run } = held;
  const backfillId = backfillRunOf(held.state, run.id)?.id;
  return {
    objectType,
    id,
    outcome,
    kind: 'enrichment',
    purpose: run.purpose,
    reason: plan.reason,
    run: held.state.runsOpened,
    eventKeys: run.eventKeys ?? [],
    ...(run.askedBy !== undefined && { askedBy: run.askedBy }),
    policyVersion: policy.version,
    ...(answered.kind === 'found' && {
      question: {
        key: answered.questionKey,
        operation: answered.operation,
        askedAtMs: answered.askedAtMs,
      },
    }),
    credits: creditsOf(answered),
    ...(backfillId !== undefined && { backfillId }),
    changes: plannedChanges(plan),
    ...(draft.dropped.length > 0 && { dropped: draft.dropped }),
    atMs: clock.now(),
    sentAtMs: clock.now(),
  };
}

/** Records in the disclosure log which contact and properties receive values of the person. */
async function discloseValues(
  { forgetting: { disclosures }, clock, digest }: EnrichmentServices,
  { draft: { held, answered }, filled, writes }: WritePlan,
): Promise<void> {
  const properties = filled.filter((name) => writes[name] !== '');
  if (!isAboutPerson(held) || answered.kind !== 'found' || properties.length === 0) return;
  const { questionKey, operation, answer, askedAtMs } = answered;
  const keys = identifiersOfAnswer({ operation, record: answer }, digest);
  const delivery = { record: recordKey(held), operation, properties, atMs: clock.now(), askedAtMs };
  await disclosures.delivered(disclosedPerson({ key: questionKey, operation }, keys), delivery);
}

/**
 * Returns for each contact id when we first obtained data about this person. Leaves out contacts whose date HubSpot
 * shows, unless a merge may have made that date too late. A refresh does not change the date.
 */
async function firstObtained(
  services: EnrichmentServices,
  drafts: readonly WriteDraft[],
  now: CrmReading,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(drafts.map((draft) => firstOf(services, draft, now)));
  return new Map(found.filter((each) => each !== undefined));
}

async function firstOf(
  services: EnrichmentServices,
  { held, answered, status, elsewhere }: WriteDraft,
  now: CrmReading,
): Promise<readonly [string, number] | undefined> {
  if (!isAboutPerson(held) || answered.kind !== 'found') return undefined;
  // The answer may be about another person.
  if (status === 'review' && !elsewhere) return undefined;
  const shownMs = firstShownMs(now.records.get(held.id)?.properties);
  if (!needsFirst(held, shownMs)) return undefined;
  const { askedAtMs } = answered;
  const before = answered.obtainedBefore ?? (await obtainedBefore(services, held, answered));
  const firstMs = Math.min(askedAtMs, before.firstAtMs);
  return Number.isNaN(shownMs) || firstMs < shownMs ? [held.id, firstMs] : undefined;
}

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
