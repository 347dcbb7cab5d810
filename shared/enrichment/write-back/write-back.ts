import { type CrmWriteResult, type ObjectType, recordKey } from '#shared/crm';
import { createMark, lastWrittenMarks } from '#shared/field-policy';
import { ownDomainOf } from '#shared/identity';
import { MINUTE_MS } from '#shared/kernel';
import { entryOf } from '#shared/ownership';
import { companyKey } from '#shared/questions';
import { type Learned, refusalBackoffMs, type WaitingReason } from '#shared/records';
import type { NewFinding } from '#shared/review';
import { creditsOf, type RecordAnswer } from '../ask/answered.ts';
import { hubSpotFailure } from '../failures.ts';
import { fingerprintOf } from '../memory.ts';
import { companyIdOf, portalOf } from '../read-records.ts';
import type {
  ClaimedRecord,
  EnrichmentServices,
  RecordClaim,
  RecordReport,
  RunOutcome,
} from '../services.ts';
import { answerWriter } from './answer-writer.ts';
import { type AssociationResult, associateWritten } from './associate.ts';
import { draftsOf, isStatus, type WriteDraft } from './draft.ts';
import { findingsOf } from './findings.ts';
import { guardedWrites } from './guarded-writes.ts';
import { lessonOf } from './lesson-of-writes.ts';
import type { Present, WritePlan } from './plan-writes.ts';
import type { WriteResult } from './planned-write.ts';

export interface RunEnd {
  /** Not read where its run ended before that. */
  readonly held: RecordClaim | ClaimedRecord;
  readonly runOutcome: RunOutcome;
  readonly written: RecordReport['written'];
  /** Fields of the answer among them that have a value now; none unless told. */
  readonly fields?: number;
  /** Decisions for a person; nothing where the run continues, or no answer was used. */
  readonly findings?: readonly NewFinding[] | undefined;
  /** What of an answer was not written, and why. */
  readonly kept?: WritePlan['kept'];
}

/** Not settled: the journal would not take it, and what is written without it could never be undone. */
export interface Unjournalled {
  readonly held: RecordClaim;
  readonly error: unknown;
}

/**
 * Writes answers and statuses of one object type back, guarded at every attempt, only differences, in few requests.
 * @param untilMs attempts and waits end by then, epoch milliseconds.
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
  const lesson = lessonOf(services, objectType, written);
  if (lesson) await services.writeBreakers.learn(objectType, lesson);
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

/** How many values fitted nowhere, by property; the journal has the reasons, which may name the values. */
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

/** HubSpot told of the others but not of this one, so it is not likely to come right within the minute. */
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
    // What was paid for is kept, and written later.
    return later(held, { reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs: nowMs + UNREACHABLE_MS, credits });
  }
  if (current === 'gone') {
    const gone = { kind: 'outcome', outcome: 'skipped', reason: 'No longer in HubSpot.' } as const;
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
  const known = {
    ...plan.learned,
    written: { ...plan.learned.written, ...lastWrittenMarks(values, mark) },
    seenFilled: seenOfOthers(plan),
  };
  if (wait) return { ...later(held, { ...wait, credits }, { ownership: known }), written, fields };
  const { domain: companyDomain = current.companyDomain } = association.company ?? {};
  const after = { ...current, companyDomain, properties: { ...current.properties, ...stored } };
  const fingerprint = fingerprintOf(after, services);
  const hadCompany = association.company || companyIdOf(current) ? { hadCompany: true } : {};
  const released = plan.filled.filter((name) => sent.includes(name) && plan.writes[name] === '');
  const rate = plan.changeRate && { changeRate: plan.changeRate };
  const ownership = { ...known, released };
  const learned = { ...learnedOf(services, draft), ...hadCompany, ...rate, ownership, fingerprint };
  const { outcome, status, reason } = withoutWrite(plan, result);
  const also = association.told ?? (association.isProposed ? PROPOSED : undefined);
  const told = also ? `${reason} ${also}` : reason;
  const isLooked = answered.kind === 'found' || draft.isUnclear || draft.isSomebodyElse;
  const findings = isLooked ? findingsOf(plan, association) : undefined;
  return {
    held,
    runOutcome: { kind: 'outcome', outcome, status, reason: told, credits, learned },
    written,
    fields,
    findings,
    kept: plan.kept,
  };
}

const PROPOSED = 'Needs review, and was not done: its association with a company.';

/** Values that were typed after the record was read for this run: emptied before the next reading, they stay empty. */
function seenOfOthers({ kept, ownership }: WritePlan): string[] {
  return kept.flatMap(({ property, reason }) =>
    (reason === 'not-blank' || reason === 'person-wrote' || reason === 'unproved') &&
    entryOf(ownership, property).written === undefined
      ? [property]
      : [],
  );
}

/** Why the run continues later although this attempt has ended, if it does. */
function waitOf(
  { clock }: EnrichmentServices,
  { plan, result, association, openUntilMs }: Omit<Done, 'definitions' | 'kind'>,
): Omit<Wait, 'credits'> | undefined {
  const { held, answered } = plan.draft;
  // An earlier attempt may still arrive: whom it would hit is looked up when its time is over.
  if (openUntilMs !== undefined) return { reason: 'WRITE_UNCONFIRMED', untilMs: openUntilMs };
  const refusal = refusalOf(plan, result);
  const untilMs = clock.now() + refusalBackoffMs(held.run.openedAtMs, clock.now());
  if (refusal && answered.kind === 'found' && untilMs < answered.expiresAtMs)
    return { reason: 'HUBSPOT_REFUSES', detail: `HubSpot refuses the bought values: ${refusal}.`, untilMs };
  return association.wait;
}

/** A refusal that lasted until the answer was too old; or one of the status alone, which changes nothing. */
function withoutWrite(
  { outcome, status, reason, filled }: WritePlan,
  result: CrmWriteResult | undefined,
): Pick<WritePlan, 'outcome' | 'status' | 'reason'> {
  if (result?.kind !== 'refused') return { outcome, status, reason };
  const told = `${reason} HubSpot refused the write: ${result.reason}.`;
  if (filled.length > 0) return { outcome: 'failed', status: 'failed', reason: told };
  return { outcome, status, reason: told };
}

/** The rest waits as long as HubSpot wishes, and what may still arrive is looked up afterwards. */
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
  readonly untilMs: number;
  readonly credits: number;
}

function later(held: ClaimedRecord, wait: Wait, learned: Learned = {}): RunEnd {
  return { held, runOutcome: { kind: 'deferred', ...wait, learned }, written: [] };
}

function learnedOf(
  { digest }: EnrichmentServices,
  { answered, status, reason, employer }: WriteDraft,
): Learned {
  if (answered.kind === 'ended') return answered.runOutcome.learned;
  const { askedAtMs, questionKey, expiresAtMs, operation, held } = answered;
  const domain = operation === 'companiesByDomain' ? ownDomainOf(held.record) : undefined;
  const answeredCompany = domain === undefined ? undefined : companyKey(domain, digest);
  const known = { answeredAtMs: askedAtMs, answeredQuestion: questionKey, staleAtMs: expiresAtMs };
  return {
    ...{ ...known, answeredCompany },
    ...(employer && { employer }),
    ...(status === 'review' && { verdicts: [{ questionKey, askedAtMs, rejected: { reason } }] }),
  };
}

/**
 * What HubSpot does not take now and may take later, for a person: all values of the answer, or those that it was
 * written without. A status is not worth waiting for.
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
