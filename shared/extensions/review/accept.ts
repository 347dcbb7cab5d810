import { isHubSpotFailure, type ObjectType, type RecordName } from '#shared/crm';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  holdRecord,
  hubSpotFailure,
  isStatus,
  noteAnswer,
  ownershipOf,
  ownQuestionAnsweredBy,
  ownQuestions,
  type RecordAnswer,
  type RecordClaim,
  type RunEnd,
  type RunOutcome,
  readWithEmptied,
  settleRecord,
  storeFindings,
  subjectKeys,
  unknownBlanks,
  writeBack,
} from '#shared/enrichment';
import { assert, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { type AnswerVerdict, type Explanation, type KeptProperty, verdictOn } from '#shared/ownership';
import { answersOf, questionKind, storedRecord } from '#shared/questions';
import { because, livingState, type WaitingReason, waitingWords } from '#shared/records';
import type { Decided, Finding, FindingKind } from '#shared/review';

/**
 * Time for which a record is held. One call accepts its findings with few batch requests to HubSpot. Another worker
 * waits no longer than this time for the record.
 */
const CLAIM_MS = 4 * MINUTE_MS;

/** Part of this time that is reserved for storing the outcomes, after HubSpot's last answer. */
const SETTLE_MS = 20 * SECOND_MS;

/**
 * Carries out accepted findings. Compares the stored answer with the present record and writes the answer's values,
 * even in shadow mode. Uses the worker's guarded and journalled write. Sends no question to the data service. The
 * acceptance is stored first, so that after an interruption the finding stays accepted until it is carried out.
 * @param names findings of one object type, at most as many as HubSpot accepts in one batch.
 */
export async function acceptFindings(
  services: EnrichmentServices,
  objectType: ObjectType,
  names: readonly FindingName[],
): Promise<Acceptance[]> {
  const untilMs = services.clock.now() + CLAIM_MS - SETTLE_MS;
  const done: Acceptance[] = [];
  const heldFindings: HeldFinding[] = [];
  for (const name of names) {
    const taken = await beginAcceptance(services, name);
    if ('result' in taken) done.push(taken);
    else heldFindings.push(taken);
  }
  if (heldFindings.length === 0) return done;
  const servicesUntil = { ...services, crm: services.crm.until(untilMs) };
  return [...done, ...(await writeAccepted(servicesUntil, { objectType, heldFindings, untilMs }))];
}

async function beginAcceptance(
  services: EnrichmentServices,
  name: FindingName,
): Promise<Acceptance | HeldFinding> {
  const { reviews } = services;
  const decided = await reviews.decide(name.record, name.kind, 'accepted', name.decidedBy);
  if (decided.kind === 'refused') {
    const { state, decidedAtMs, decidedBy } = decided;
    return { record: name.record, kind: name.kind, result: 'refused', state, decidedAtMs, decidedBy };
  }
  const { finding } = decided;
  const { answer, purpose } = finding;
  if (!answer) {
    await reviews.decide(name.record, name.kind, 'done');
    const reason = because('nothing-to-write');
    return { ...name, result: 'done', reason, written: [], kept: [] };
  }
  const living = await livingState(services, name.record);
  if (living.id !== name.record.id)
    return gone(services, name, because('merged-into', { record: `${living.objectType}/${living.id}` }));
  const held = await holdRecord(services, name.record, {
    claimMs: CLAIM_MS,
    purpose,
    askedBy: name.decidedBy,
  });
  if (held === 'forgotten') return { ...name, result: 'gone', reason: because('forgotten') };
  if (held === 'busy') return { ...name, result: 'later', reason: because('record-busy') };
  return { name, finding, answer, held };
}

/** Name of a finding. A record has at most one finding of each kind. */
export interface FindingName {
  readonly record: RecordName;
  readonly kind: FindingKind;
  /** The person who decides, such as `user:12345`. */
  readonly decidedBy?: string | undefined;
}

export type Acceptance = FindingName &
  (
    | {
        readonly result: 'done';
        readonly reason: Explanation;
        /** Names of the written properties, without statuses. */
        readonly written: readonly string[];
        /** Properties that now hold a person's value, and keep it. */
        readonly kept: readonly KeptProperty[];
      }
    /** The finding no longer has a value to write. */
    | { readonly result: 'gone'; readonly reason: Explanation }
    /** The finding is accepted but not carried out yet. A person accepts it again to retry. */
    | { readonly result: 'later'; readonly reason: Explanation }
    /** The finding was already decided, or does not exist. */
    | ({ readonly result: 'refused' } & Omit<Extract<Decided, { kind: 'refused' }>, 'kind'>)
  );

/** An accepted finding. We hold its record, so that no other worker writes to the record. */
interface HeldFinding {
  readonly name: FindingName;
  readonly finding: Finding;
  readonly answer: NonNullable<Finding['answer']>;
  readonly held: RecordClaim;
}

/** Closes a finding that can no longer be carried out. */
async function gone(
  { reviews }: Pick<EnrichmentServices, 'reviews'>,
  name: FindingName,
  reason: Explanation,
): Promise<Acceptance> {
  await reviews.decide(name.record, name.kind, 'gone');
  return { ...name, result: 'gone', reason };
}

/**
 * Reason why the answer of a finding cannot be used. It is too old, was deleted, belongs to another record, or was
 * rejected.
 */
type NoAcceptedAnswer = 'not-stored' | 'other-record' | 'rejected';

/** Returns the stored answer of a finding, as if it had just arrived. */
export async function acceptedAnswer(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock' | 'policy'>,
  held: ClaimedRecord,
  { kind, answer, before = {} }: Finding,
): Promise<RecordAnswer | NoAcceptedAnswer> {
  const stored = answer && (await answerOfFinding(services, answer));
  if (!stored) return 'not-stored';
  const { questionKey, operation, askedDomain, askedAtMs } = answer;
  if (verdictOn(held.state.verdicts, answer)?.rejected?.byPerson) return 'rejected';
  const ownQuestionsByKey = ownQuestions(services, {
    record: held.record,
    ownership: ownershipOf(services, held),
  });
  const storedAnswer = { key: questionKey, operation, record: stored.record };
  if (!ownQuestionAnsweredBy(services, ownQuestionsByKey, storedAnswer)) return 'other-record';
  return {
    kind: 'found',
    held: { ...held, state: asBefore(held.state, before) },
    answer: stored.record,
    expiresAtMs: stored.expiresAtMs,
    credits: held.run.credits,
    accepted: kind,
    questionKey,
    operation,
    askedDomain,
    askedAtMs,
  };
}

/**
 * Returns the state without the facts of an answer that HubSpot does not have yet. Writing the answer adds these facts
 * again.
 */
function asBefore(
  state: ClaimedRecord['state'],
  before: NonNullable<Finding['before']>,
): ClaimedRecord['state'] {
  const { answeredAtMs: _answered, employer: _employer, ...rest } = state;
  return { ...rest, ...before };
}

interface Group {
  readonly objectType: ObjectType;
  readonly heldFindings: readonly HeldFinding[];
  /** Attempts and waits end before this time, epoch milliseconds. */
  readonly untilMs: number;
}

/** Writes the accepted answers. Settles every record that is held for them, even if HubSpot fails. */
async function writeAccepted(services: EnrichmentServices, group: Group): Promise<Acceptance[]> {
  try {
    return await write(services, group);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    const later = { kind: 'deferred', ...hubSpotFailure(error, services), learned: {} } as const;
    return Promise.all(
      group.heldFindings.map(async ({ name, held }) => {
        await settleRecord(services, held, { ...later, credits: held.run.credits });
        return { ...name, result: 'later', reason: writeWaits(later) } as const;
      }),
    );
  }
}

async function write(services: EnrichmentServices, group: Group): Promise<Acceptance[]> {
  const { objectType, heldFindings, untilMs } = group;
  const byId = new Map(heldFindings.map((each) => [each.held.id, each]));
  const findingOf = ({ id }: RecordClaim): HeldFinding => {
    const found = byId.get(id);
    assert(found, 'a read record has an accepted finding');
    return found;
  };
  const held = heldFindings.map((each) => each.held);
  const read = await readWithEmptied(services, { objectType, held }, (each) =>
    unknownBlanks(services.policy, each),
  );
  const results: Acceptance[] = [];
  for (const held of read.missing)
    results.push(await release(services, findingOf(held), { reason: because('gone'), isGone: true }));
  for (const held of read.failed) {
    await settleRecord(services, held, unreadable(services, held));
    results.push({ ...findingOf(held).name, result: 'later', reason: because('record-not-returned') });
  }
  const answers: RecordAnswer[] = [];
  const subjects = new Map<string, readonly string[]>();
  for (const held of read.found) {
    const carried = findingOf(held);
    const answered = await acceptedAnswer(services, held, carried.finding);
    if (typeof answered === 'string') {
      results.push(await release(services, carried, { reason: NO_ANSWER_REASONS[answered] }));
      continue;
    }
    const { questionKey } = carried.answer;
    await noteAnswer(services, held, { questionKey, credits: held.run.credits });
    answers.push(answered);
    if (answered.kind === 'found')
      subjects.set(
        held.id,
        subjectKeys(services.digest, { operation: answered.operation, record: answered.answer }),
      );
  }
  if (answers.length === 0) return results;
  for (const ended of await writeBack(services, { objectType, answers, untilMs })) {
    const each = findingOf(ended.held);
    if ('error' in ended) throw ended.error;
    results.push(await finish(services, each, { ...ended, about: subjects.get(ended.held.id) }));
  }
  return results;
}

const NO_ANSWER_REASONS: Readonly<Record<NoAcceptedAnswer, Explanation>> = {
  'not-stored': because('answer-not-stored'),
  'other-record': because('identity-changed'),
  rejected: because('rejected-by-person'),
};

async function finish(
  services: EnrichmentServices,
  { name, finding, answer }: HeldFinding,
  { held, runOutcome, findings, written, kept = [], about }: RunEnd & Pick<AnswerVerdict, 'about'>,
): Promise<Acceptance> {
  const { questionKey, askedAtMs } = answer;
  const inSpiteOf =
    finding.kind === 'contradiction' || finding.kind === 'job-change' ? finding.kind : undefined;
  const learned = {
    ...runOutcome.learned,
    ...(inSpiteOf && {
      verdicts: [...(runOutcome.learned.verdicts ?? []), { questionKey, askedAtMs, inSpiteOf, about }],
    }),
  };
  const settledOutcome = await storeFindings(services, {
    held,
    runOutcome: { ...runOutcome, learned },
    findings,
  });
  if (settledOutcome.kind === 'deferred') {
    await settleRecord(services, held, settledOutcome);
    return { ...name, result: 'later', reason: writeWaits(settledOutcome) };
  }
  await services.reviews.decide(name.record, name.kind, 'done');
  await settleRecord(services, held, settledOutcome);
  const { reason } = settledOutcome;
  if (settledOutcome.learned.isGone) return { ...name, result: 'gone', reason };
  const wanted = new Set(finding.properties);
  return {
    ...name,
    result: 'done',
    reason,
    written: written.flatMap(({ property }) => (isStatus(property) ? [] : property)),
    kept: kept.filter(({ property, reason }) => reason !== 'same' && wanted.has(property)),
  };
}

function writeWaits({
  reason: wait,
  detail,
}: {
  reason: WaitingReason;
  detail?: string | undefined;
}): Explanation {
  return because('write-waits', { wait, why: detail ?? waitingWords(wait).why });
}

/** Releases a record without writing to it. */
async function release(
  services: EnrichmentServices,
  { name, held }: HeldFinding,
  { reason, isGone = false }: { readonly reason: Explanation; readonly isGone?: boolean },
): Promise<Acceptance> {
  const { staleAtMs } = held.state;
  const acceptance = await gone(services, name, reason);
  await settleRecord(services, held, {
    kind: 'outcome',
    outcome: isGone ? 'skipped' : 'unchanged',
    reason,
    credits: held.run.credits,
    learned: { ...(staleAtMs !== undefined && { staleAtMs }), isGone },
  });
  return acceptance;
}

function unreadable({ clock }: EnrichmentServices, held: RecordClaim): RunOutcome {
  const untilMs = clock.now();
  const { credits } = held.run;
  return { kind: 'deferred', reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs, credits, learned: {} };
}

export interface FoundAnswer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly expiresAtMs: number;
}

/** Returns the stored answer of a finding; `undefined` if it is too old or was deleted. */
export async function answerOfFinding(
  { forgetting, clock }: Pick<EnrichmentServices, 'forgetting' | 'clock'>,
  { questionKey, askedAtMs }: NonNullable<Finding['answer']>,
): Promise<FoundAnswer | undefined> {
  const item = (await forgetting.items.read(questionKind.key(questionKey)))?.value;
  const stored = answersOf(item).find((answer) => answer.kind === 'found' && answer.askedAtMs === askedAtMs);
  if (!item || !stored || stored.expiresAtMs <= clock.now()) return undefined;
  const record = await storedRecord(forgetting, item, stored);
  return record && { record, expiresAtMs: stored.expiresAtMs };
}
