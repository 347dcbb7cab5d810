import { type CrmRecord, isAboutPerson } from '#shared/crm';
import { companyDomain } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { MAX_HASHES, verdictOn } from '#shared/ownership';
import { disclosuresOfPerson, identifiersOfRecord, recordKeysOf } from '#shared/privacy';
import {
  type AskResult,
  answerFor,
  companyKeys,
  identifiersOfAnswer,
  identityOf,
  isSearch,
  LOOKUPS,
  linkExpiry,
  linkPeople,
  type Question,
  type QuestionItem,
  type QuestionOperation,
  questionKey,
  questionKind,
  questionsAbout,
  storedRecord,
} from '#shared/questions';
import type { RecordState } from '#shared/records';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';

type Found = Extract<AskResult, { kind: 'found' }>;

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'>;

/** A record's last answer, and what people decided about its answers. */
type Answered = Pick<RecordState, 'answeredQuestion' | 'verdicts'>;

/**
 * Finds a fresh answer to another question about the same person or company. For example, the answer to a question by
 * profile also serves the question by the address in this answer. If no answer is known, this costs one read.
 * @param about the record. Its last answer also serves a question by name.
 */
export async function knownAnswer(
  services: Services,
  question: Question,
  about: Answered | undefined,
): Promise<Found | undefined> {
  if (question.by.firstName !== undefined) return about && ownAnswerByName(services, question, about);
  if (!LOOKUPS[question.operation].identifies) return undefined;
  const { forgetting, digest } = services;
  const ownKey = questionKey(question, digest);
  const identity = identityOf(ownKey);
  for (const key of await questionsAbout(forgetting, identity)) {
    const found = key === ownKey ? undefined : await answerAt(services, key, question);
    if (found && isAnswerTo(digest, { ...found, own: identity })) return found.answer;
  }
  return undefined;
}

/**
 * Returns the record's last answer, if it has the name and the company of the question. Answers about other records are
 * not used, because several people can share a name.
 */
async function ownAnswerByName(
  services: Services,
  question: Question,
  { answeredQuestion, verdicts }: Answered,
): Promise<Found | undefined> {
  const last = answeredQuestion && (await answerAt(services, answeredQuestion, question));
  if (!last || verdictOn(verdicts, last.answer)?.rejected) return undefined;
  const { record } = last.answer;
  const by = {
    domain: companyDomain(String(record['employerDomain'] ?? '')) ?? '',
    firstName: String(record['firstName'] ?? ''),
    lastName: String(record['lastName'] ?? ''),
  };
  const { digest } = services;
  const isSame = questionKey({ ...question, by }, digest) === questionKey(question, digest);
  return isSame ? last.answer : undefined;
}

/** A stored answer; `empty` for no match, and for a person who was forgotten. `in-doubt`: an earlier request bars it. */
export type KnownOf = Found | { readonly kind: 'empty' | 'in-doubt' };

/**
 * Looks in the store like a run, and asks nobody: for the answer to the question, then to another question about the
 * same person or company.
 * @returns `undefined` if a run would have to pay.
 */
export async function knownOf(
  services: Services,
  question: Question,
  about?: Answered,
): Promise<KnownOf | undefined> {
  const { forgetting, digest, clock } = services;
  const key = questionKey(question, digest);
  const item = (await forgetting.items.read(questionKind.key(key)))?.value;
  const found = await answerIn(services, item, question);
  if (found) return found.answer;
  const other = await knownAnswer(services, question, about);
  if (other) return other;
  if (answerFor(item, { options: question.options, nowMs: clock.now() })) return { kind: 'empty' };
  return item?.attempt?.state === 'in-doubt' ? { kind: 'in-doubt' } : undefined;
}

/** Indexes the answer about a company by its domains and its page. The gateway indexes answers about people. */
export async function linkCompany({ forgetting, digest }: Services, answer: Found): Promise<void> {
  const { record, questionKey: answerKey, expiresAtMs } = answer;
  const sure = companyKeys(record, digest);
  const untilMs = linkExpiry(expiresAtMs);
  await linkPeople(forgetting, { people: [{ sure, likely: [] }], questionKey: answerKey, untilMs });
}

interface StoredAnswer {
  readonly operation: QuestionOperation;
  readonly answer: Found;
}

async function answerAt(
  services: Services,
  key: string,
  question: Question,
): Promise<StoredAnswer | undefined> {
  const stored = await services.forgetting.items.read(questionKind.key(key));
  return answerIn(services, stored?.value, question);
}

async function answerIn(
  { forgetting, clock }: Services,
  item: QuestionItem | undefined,
  { operation: asked, options }: Question,
): Promise<StoredAnswer | undefined> {
  const stored = answerFor(item, { options, nowMs: clock.now() });
  if (!item || stored?.kind !== 'found') return undefined;
  const { operation } = item;
  // A search result has fewer fields.
  if (isSearch({ operation }) || LOOKUPS[operation].about !== LOOKUPS[asked].about) return undefined;
  const record = await storedRecord(forgetting, item, stored);
  const { askedAtMs, expiresAtMs, isCut } = stored;
  const known = { kind: 'found', questionKey: item.key, askedAtMs, expiresAtMs, isCut, credits: 0 } as const;
  return record && { operation, answer: { ...known, record } };
}

function isAnswerTo(
  digest: Digest,
  { operation, answer, own }: StoredAnswer & { readonly own: string },
): boolean {
  return ownKeysOfAnswer(digest, { operation, record: answer.record }).includes(own);
}

/** Returns keyed hashes by which another answer about the same person or company is recognised. */
export function subjectKeys(
  digest: Digest,
  answer: { operation: QuestionOperation; record: Found['record'] },
): readonly string[] {
  const { id } = answer.record;
  const { about, vendor } = LOOKUPS[answer.operation];
  return [
    ...ownKeysOfAnswer(digest, answer),
    ...(typeof id === 'string' && id !== ''
      ? [`${digest.keyed(JSON.stringify(['subject', about, id]))}${vendor.mark}`]
      : []),
  ].slice(-MAX_HASHES);
}

/** Returns the keys of the person or company of an answer. */
export function ownKeysOfAnswer(
  digest: Digest,
  { operation, record }: { operation: QuestionOperation; record: Found['record'] },
): readonly string[] {
  return LOOKUPS[operation].about === 'company'
    ? companyKeys(record, digest)
    : identifiersOfAnswer({ operation, record }, digest).sure;
}

/** When data about the person were first obtained, by the disclosure records. */
export interface ObtainedBefore {
  /** Infinity if there are none. */
  readonly firstAtMs: number;
}

/**
 * Reads when data about the person of an answer were first obtained.
 * @returns `undefined` if HubSpot shows the date.
 */
export async function obtainedBeforeIfUnknown(
  services: DisclosureServices,
  held: ClaimedRecord,
  found: AnswerOf,
): Promise<ObtainedBefore | undefined> {
  const isNeeded = isAboutPerson(held) && needsFirst(held, firstShownMs(held.record.properties));
  return isNeeded ? obtainedBefore(services, held, found) : undefined;
}

type DisclosureServices = Pick<EnrichmentServices, 'forgetting' | 'digest'>;

interface AnswerOf {
  readonly operation: QuestionOperation;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Reads when data about the person of an answer were first obtained. */
export async function obtainedBefore(
  { forgetting, digest }: DisclosureServices,
  held: ClaimedRecord,
  { operation, answer }: AnswerOf,
): Promise<ObtainedBefore> {
  const identifiers = [
    ...identifiersOfRecord(held.record, digest).sure,
    ...identifiersOfAnswer({ operation, record: answer }, digest).sure,
  ];
  const person = { identifiers: [...new Set(identifiers)], records: recordKeysOf(held.state) };
  const known = await disclosuresOfPerson(forgetting.disclosures, person);
  return { firstAtMs: Math.min(Infinity, ...known.flatMap(({ obtained }) => obtained?.firstAtMs ?? [])) };
}

/** @returns NaN if HubSpot shows no date. */
export function firstShownMs(properties: CrmRecord['properties'] = {}): number {
  return Date.parse(properties['enrichment_first_at'] ?? '');
}

/** A merge may have made the shown date too late. */
export function needsFirst({ state }: ClaimedRecord, shownMs: number): boolean {
  return Number.isNaN(shownMs) || state.mergedFrom !== undefined;
}
