import type { CrmReading, CrmRecord } from '#shared/crm';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  knownProperties,
  ownershipOf,
  ownQuestionAnsweredBy,
  ownQuestions,
  type PortalShape,
  plannedProperties,
  type RecordAnswer,
  readWithCompanies,
} from '#shared/enrichment';
import { admissionOf, type Policy } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import { verdictOn } from '#shared/ownership';
import {
  askedDomainOf,
  isSearch,
  type QuestionItem,
  questionKind,
  type StoredAnswer,
  storedRecord,
} from '#shared/questions';
import type { Group, RecordState } from '#shared/records';
import type { QuestionOption } from '#shared/vendor';

/** Reason why a record is skipped, whatever its answer is. */
export type SkipCause = 'gone' | 'unreadable' | 'worked-on' | 'asked-for';

/** A record as it was read, with its ownership. Each property is checked once. */
export interface ReadRecord {
  readonly held: ClaimedRecord;
  readonly ownership: ReturnType<typeof ownershipOf>;
}

export interface ReadGroup {
  readonly now: CrmReading;
  readonly portal: PortalShape;
  readonly found: readonly ReadRecord[];
  /** Records that were read but skipped, because a worker has them or a person requested them. */
  readonly others: readonly ReadRecord[];
  readonly left: readonly SkipCause[];
}

interface Reading {
  readonly policies: readonly [Policy, ...Policy[]];
  /** Records of an earlier read. Their companies are not read again. */
  readonly seen?: readonly CrmRecord[];
}

/**
 * Reads a group with all properties that the policies need. This takes one request, or two for contacts. Skips a record
 * that a worker has or a person requested.
 */
export async function readGroup(
  { crm, digest, clock }: Pick<EnrichmentServices, 'crm' | 'digest' | 'clock'>,
  { objectType, states }: Group,
  { policies, seen = [] }: Reading,
): Promise<ReadGroup> {
  const definitions = await crm.definitions(objectType);
  const fields = policies.flatMap((policy) => policy.fields[objectType]);
  const hasAmounts = fields.some(({ currency }) => currency !== undefined);
  const portal = { definitions, currency: hasAmounts ? await crm.currency() : undefined };
  const ids = states.map(({ id }) => id);
  const planned = policies.map((policy) => plannedProperties(policy, objectType));
  const properties = [
    ...new Set([
      ...planned.flatMap(({ own }) => own),
      ...fields.map(({ property }) => property),
      ...policies.flatMap(({ refresh }) => refresh.weights[objectType].map(({ property }) => property)),
    ]),
  ];
  const companyProperties = planned.flatMap(({ company }) => company);
  const readAtMs = clock.now();
  const now = await readWithCompanies(crm, { objectType, ids, properties, companyProperties }, seen);
  // The first policy decides about the records here. Decisions by another policy use that policy's own rules.
  const [policy] = policies;
  const isKnown = await knownProperties({ crm, policy }, objectType);
  const found: ReadRecord[] = [];
  const others: ReadRecord[] = [];
  const left: SkipCause[] = [];
  for (const state of states) {
    const record = now.records.get(state.id);
    const isFound = record?.id === state.id;
    const isFileBusy = state.run !== undefined;
    const isAskedFor = isFound && textOf(record, 'enrichment_requested') === 'true';
    if (isFound) {
      const admission = admissionOf(policy, record, { nowMs: readAtMs, isKnown });
      const read = readRecord(digest, state, { record, definitions, readAtMs, admission });
      (isFileBusy || isAskedFor ? others : found).push(read);
    }
    if (isFileBusy) left.push('worked-on');
    else if (now.failed.has(state.id)) left.push('unreadable');
    else if (!isFound) left.push('gone');
    else if (isAskedFor) left.push('asked-for');
  }
  return { now, portal, found, others, left };
}

/** Builds the record with a backfill's run, which is no person's request. */
function readRecord(
  digest: EnrichmentServices['digest'],
  state: RecordState,
  read: Pick<ClaimedRecord, 'record' | 'definitions' | 'admission' | 'readAtMs'>,
): ReadRecord {
  const { objectType, id } = state;
  const run = { id: 'stored', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;
  const held = { objectType, id, state, run, requested: false, ...read };
  const ownership = ownershipOf({ digest }, held);
  return { held, ownership: { ...ownership, isOurs: memoized(ownership.isOurs) } };
}

function memoized(check: (property: string) => boolean): (property: string) => boolean {
  const cache = new Map<string, boolean>();
  return (property) => {
    const known = cache.get(property) ?? check(property);
    cache.set(property, known);
    return known;
  };
}

export type ReusableAnswer = Extract<RecordAnswer, { kind: 'found' }> & {
  /** Options that the answer included. */
  readonly options: readonly QuestionOption[];
};

/** Reason why a record's stored answer is not used. */
export type NoReusableAnswer = 'never-answered' | 'too-old' | 'other-record' | 'rejected' | 'forgotten';

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock' | 'policy'>;

/**
 * Reads the newest stored answer about a record, without a request. The answer must be fresh, and no older than the
 * record's last answer. The record's present values must lead to the same question, or name the same person or company.
 */
export async function reusableAnswer(
  services: Services,
  { held, ownership }: ReadRecord,
): Promise<ReusableAnswer | NoReusableAnswer> {
  const { answeredQuestion, answeredAtMs = 0, verdicts } = held.state;
  if (answeredQuestion === undefined) return 'never-answered';
  const own = ownQuestions(services, { record: held.record, ownership });
  const item = (await services.forgetting.items.read(questionKind.key(answeredQuestion)))?.value;
  const stored = item && newestFound(services, item);
  if (!item || !stored || stored.askedAtMs < answeredAtMs) return 'too-old';
  const { askedAtMs, expiresAtMs, options } = stored;
  if (verdictOn(verdicts, { questionKey: answeredQuestion, askedAtMs })?.rejected) return 'rejected';
  const answer = await storedRecord(services.forgetting, item, stored);
  if (!answer) return 'forgotten';
  const { operation } = item;
  const question = ownQuestionAnsweredBy(services, own, { key: answeredQuestion, operation, record: answer });
  if (!question) return 'other-record';
  const askedDomain = operation === question.operation ? askedDomainOf(question) : undefined;
  const facts = { questionKey: answeredQuestion, askedDomain, askedAtMs, expiresAtMs, options };
  return { kind: 'found', held, answer, operation, ...facts, credits: 0 };
}

/** Returns the newest usable answer. A list of results is not usable, because it is about many records. */
function newestFound({ clock }: Services, item: QuestionItem): StoredAnswer | undefined {
  const { answer } = item;
  return !isSearch(item) && answer?.kind === 'found' && clock.now() < answer.expiresAtMs ? answer : undefined;
}
