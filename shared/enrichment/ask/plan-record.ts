import { type CrmRecord, isAboutPerson, nameOfKey, OBJECT_TYPE_ROWS, recordKey } from '#shared/crm';
import { adds, answerKeyOf, canFill, type FieldRule, isWorthLookup, type Policy } from '#shared/field-policy';
import {
  addressesOf,
  businessAddressOf,
  cleanPersonName,
  companyDomain,
  ownDomainOf,
  pageOf,
  phoneOf,
  textOf,
  weighEvidence,
} from '#shared/identity';
import { identifiersOfRecord } from '#shared/privacy';
import {
  keysAtVendors,
  LOOKUPS,
  lookupsOf,
  type Question,
  type QuestionOperation,
  questionKey,
  readLinks,
  withinPrice,
} from '#shared/questions';
import { because, type ExplanationCode, type RecordState, wasLookedUp } from '#shared/records';
import { IDENTIFIERS, type Identifiers, QUESTION_OPTIONS, type QuestionOption } from '#shared/vendor';
import { fingerprintOf, isFresh, isRequestedByPerson, ownershipOf, paidFor, wasUndone } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { type EndedAnswer, type Ending, endBarred, ended } from './endings.ts';
import { ownKeysOfAnswer } from './known-answer.ts';

/** Questions that may be asked for a record. */
export interface QuestionPlan {
  readonly kind: 'planned';
  readonly held: ClaimedRecord;
  readonly questions: readonly Question[];
  readonly isPaidFor: (question: Question) => boolean;
}

/** Chooses the questions; ends the record if a lookup would change nothing. */
export function planRecord(
  services: Pick<EnrichmentServices, 'policy' | 'digest' | 'clock' | 'installedAtMs'>,
  held: ClaimedRecord,
): QuestionPlan | EndedAnswer {
  if (held.record.id !== held.id)
    return ended(held, { outcome: 'skipped', reason: because('merged') }, false);
  const ending = endWithoutQuestion(services, held);
  if (ending) return ended(held, ending, false);
  // If a rule cannot be read, even a paid answer waits.
  const isDecided = hasPaidAnswer(held) && held.admission.missing === undefined;
  const barred = isDecided ? undefined : endBarred(services, held, { isKept: wasEnriched(held.state) });
  if (barred) return barred;
  const isPaidFor = paidFor(services, held);
  return planOf(held, planFromRecord(services, held, isPaidFor), isPaidFor);
}

function planOf(
  held: ClaimedRecord,
  plan: Plan,
  isPaidFor: QuestionPlan['isPaidFor'],
): QuestionPlan | EndedAnswer {
  if (plan.kind === 'skip') {
    // If an enriched record is full, it keeps its status in HubSpot.
    const isFull = FULL.has(plan.reason) && wasEnriched(held.state);
    const outcome = isFull ? 'unchanged' : 'skipped';
    return ended(held, { outcome, reason: because(plan.reason) }, !isFull);
  }
  return { kind: 'planned', held, questions: plan.questions, isPaidFor };
}

/** Repeats the plan without buying an address that another contact of the same person has. */
export async function withoutTakenAddress(
  services: EnrichmentServices,
  plan: QuestionPlan,
  others: readonly string[],
): Promise<QuestionPlan | EndedAnswer> {
  const { held, isPaidFor } = plan;
  const input = planInputOf(services, held, isPaidFor);
  return planOf(held, await planPurchase(services, input, others), isPaidFor);
}

/** The property whose values HubSpot keeps unique among contacts. */
const UNIQUE = 'email';

/** Plans the questions. Buys no address for `email` if another contact of the same person has one. */
export async function planPurchase(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'crm'>,
  input: PlanInput,
  known?: readonly string[],
): Promise<Plan> {
  const plan = planQuestions(input);
  const isBought = plan.kind === 'ask' && plan.questions.some(({ options }) => options.includes('email'));
  const others = isBought ? (known ?? (await otherRecordsOf(services, input.record))) : [];
  if (!(await isAddressTaken(services, input.record, others))) return plan;
  const { fields } = input.policy;
  const otherRules = fields.contacts.filter(({ property }) => property !== UNIQUE);
  const policy = { ...input.policy, fields: { ...fields, contacts: otherRules } };
  const planWithoutAddress = planQuestions({ ...input, policy });
  return planWithoutAddress.kind === 'skip' ? { kind: 'skip', reason: 'address-taken' } : planWithoutAddress;
}

/** If HubSpot does not return a contact now, it counts as one with an address. This never costs more. */
async function isAddressTaken(
  { crm }: Pick<EnrichmentServices, 'crm'>,
  record: CrmRecord,
  others: readonly string[],
): Promise<boolean> {
  const ids = new Set(others.flatMap((key) => nameOfKey(key)?.id ?? []));
  if (ids.size === 0) return false;
  const { records, failed } = await crm.read({ objectType: 'contacts', ids: [...ids], properties: [UNIQUE] });
  const isTaken = [...records.values()].some(({ id, ...other }) => id !== record.id && textOf(other, UNIQUE));
  return isTaken || failed.size > 0;
}

/** Reads the keys of the other records with an address or a profile of this record. */
export async function otherRecordsOf(
  { forgetting, digest }: Pick<EnrichmentServices, 'forgetting' | 'digest'>,
  record: CrmRecord,
): Promise<readonly string[]> {
  const { sure } = identifiersOfRecord(record, digest);
  const linked = await Promise.all(sure.map((key) => readLinks(forgetting, 'records', key)));
  return [...new Set(linked.flat())].filter((key) => key !== recordKey(record));
}

/** Plans the questions about a record, without reading other contacts. */
export function planFromRecord(...input: Parameters<typeof planInputOf>): Plan {
  return planQuestions(planInputOf(...input));
}

/** Returns the facts from which questions are chosen. Our values of a former person or company count as blank. */
export function planInputOf(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  held: ClaimedRecord,
  isPaidFor?: (question: Question) => boolean,
): PlanInput {
  const { policy, maxCredits } = held.admission;
  const ownership = ownershipOf(services, held);
  const corrected = correctedRecord(services, held);
  const isCorrected = corrected !== undefined && corrected.identity !== 'same';
  const isBlank = (property: string) => textOf(held.record, property) === undefined;
  return {
    ...ownership,
    policy,
    maxCredits,
    isPaidFor,
    record: isCorrected ? corrected.given : held.record,
    isClosed: (property) => isBlank(property) && ownership.isClosed(property),
  };
}

/** Reasons that mean that no question can fill more. An enriched record then keeps its outcome. */
const FULL: ReadonlySet<SkipReason> = new Set([
  ...(['nothing-to-fill', 'nothing-to-gain', 'above-maximum', 'address-taken'] as const),
]);

/** A paid answer is written whatever the run's current purpose is. */
function hasPaidAnswer({ run }: ClaimedRecord): boolean {
  return run.answeredQuestion !== undefined;
}

/** Returns the ending of a record that needs no question; `undefined` if a question can be asked. */
function endWithoutQuestion(
  services: Parameters<typeof planRecord>[0],
  held: ClaimedRecord,
): Ending | undefined {
  const { run, record, state } = held;
  if (hasPaidAnswer(held)) return undefined;
  const isAutomatic = run.purpose !== 'backfill' && run.asked === undefined && !held.requested;
  // An old record is kept up to date like any other after a backfill or a person's request has looked it up.
  const isUntouched = record.createdAtMs < services.installedAtMs && !wasLookedUp(state);
  if (isAutomatic && isUntouched)
    return {
      outcome: 'skipped',
      reason: because('older-than-installation'),
      learned: { isOld: true },
    };
  if (held.requested || isRequestedByPerson(held) || !isFresh(services, held)) return undefined;
  if (wasEnriched(state)) return { outcome: 'unchanged', reason: because('up-to-date') };
  if (state.outcome && wasUndone(state))
    return { outcome: state.outcome.kind, reason: because('undone-before') };
  return undefined;
}

/** Whether the record is enriched. A restored record keeps its outcome from before the deletion. */
export function wasEnriched({ outcome, beforeDeletion }: RecordState): boolean {
  const kind = beforeDeletion ?? outcome?.kind;
  return kind === 'enriched' || kind === 'unchanged';
}

type SkipReason = Extract<
  ExplanationCode,
  | 'no-identifier'
  | 'no-company-identifier'
  | 'free-mail-only'
  | 'role-mailbox'
  | 'opted-out'
  | 'nothing-to-fill'
  | 'nothing-to-gain'
  | 'above-maximum'
  | 'wrong-match'
  | 'address-taken'
>;

export type Plan =
  /** Asks the questions in this order. */
  | {
      readonly kind: 'ask';
      readonly questions: readonly [Question, ...Question[]];
    }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

export interface PlanInput {
  readonly record: CrmRecord;
  readonly policy: Policy;
  /** Highest cost of a lookup, credits; no limit by default. */
  readonly maxCredits?: number | undefined;
  /** Whether a property still holds the value that we wrote last. If so, `ours` allows another write. */
  readonly isOurs?: ((property: string) => boolean) | undefined;
  /** Whether a blank property must stay blank. */
  readonly isClosed?: ((property: string) => boolean) | undefined;
  /** Whether the portal has the property and it can be written; always by default. */
  readonly isWritable?: ((property: string) => boolean) | undefined;
  /**
   * Whether a person said that the answer to a question is about another person. If so, the next question is asked
   * instead.
   */
  readonly isRejected?: ((question: Question) => boolean) | undefined;
  /**
   * Whether this run has already paid for the question. A paid question comes first, so that an interrupted write is
   * finished.
   */
  readonly isPaidFor?: ((question: Question) => boolean) | undefined;
}

/**
 * Plans the first question, in the policy's order, that fills missing properties which the policy wants, or refreshes
 * our own values.
 */
export function planQuestions(input: PlanInput): Plan {
  const { record, policy } = input;
  if (hasOptedOut(record)) return { kind: 'skip', reason: 'opted-out' };
  // Keys of an answer that could fill or refresh some property.
  const wanted = new Set(
    policy.fields[record.objectType].filter((rule) => isWanted(rule, input)).map((rule) => answerKeyOf(rule)),
  );
  const allowed = possibleQuestions(input, wanted);
  const possible = allowed.filter((question) => !input.isRejected?.(question));
  const { maxCredits = Number.POSITIVE_INFINITY } = input;
  const isPaidFor = (question: Question) => input.isPaidFor?.(question) === true;
  const isUseful = (question: Question) => [...wanted].some((key) => canFill(question, key));
  // A lookup never gets more options than its price covers. This also holds for a lookup that was bought before.
  const paidQuestions = possible
    .filter(isPaidFor)
    .map((question) => withinPrice(question, maxCredits) ?? { ...question, options: [] });
  const fillingQuestions = possible.filter(isUseful);
  // Dropping an option that is too expensive can leave a question that fills nothing.
  const affordable = fillingQuestions
    .filter((question) => !isPaidFor(question))
    .flatMap((question) => withinPrice(question, maxCredits) ?? [])
    .filter(isUseful);
  if (paidQuestions.length === 0 && wanted.size === 0) return { kind: 'skip', reason: 'nothing-to-fill' };
  const [first, ...rest] = [...paidQuestions, ...affordable];
  if (first) return { kind: 'ask', questions: policy.questions.fallThrough ? [first, ...rest] : [first] };
  if (fillingQuestions.length > 0) return { kind: 'skip', reason: 'above-maximum' };
  if (possible.length > 0) return { kind: 'skip', reason: 'nothing-to-gain' };
  if (allowed.length > 0) return { kind: 'skip', reason: 'wrong-match' };
  return { kind: 'skip', reason: reasonOf(record) };
}

/** Returns every question that the record's values allow, with the options that some wanted key needs. */
function possibleQuestions(input: PlanInput, wanted: ReadonlySet<string>): Question[] {
  const { record, isOurs } = input;
  const options = boughtOptions(input).filter((option) => adds(option, wanted));
  if (!isAboutPerson(record))
    return lookupsOf('company').flatMap((operation) => questionsOf(operation, input, options));
  // Prefers questions by people's values. A question by values that we wrote is the last resort.
  const given = Object.entries(record.properties).filter(([property]) => isOurs?.(property) !== true);
  const withoutOurs = { ...record, properties: Object.fromEntries(given) };
  const questions = [withoutOurs, record].flatMap((source) =>
    input.policy.questions.contacts.flatMap((operation) =>
      questionsOf(operation, { ...input, record: source }, options),
    ),
  );
  return [...Map.groupBy(questions, ({ operation }) => operation).values()].flatMap(([first]) => first ?? []);
}

function reasonOf(record: CrmRecord): SkipReason {
  if (!isAboutPerson(record)) return 'no-company-identifier';
  const mails = addressesOf(record);
  if (mails.length > 0 && mails.every(({ free }) => free)) return 'free-mail-only';
  return mails.some(({ role }) => role) ? 'role-mailbox' : 'no-identifier';
}

export function hasOptedOut({ properties }: Pick<CrmRecord, 'properties'>): boolean {
  return properties['hs_contact_enrichment_opt_out'] === 'true';
}

function isWanted(rule: FieldRule, input: PlanInput): boolean {
  const { property, write } = rule;
  const { record, isOurs, isClosed, isWritable } = input;
  if (!isWorthLookup(rule) || isWritable?.(property) === false) return false;
  if (write === 'always') return true;
  if (textOf(record, property) === undefined) return !isClosed?.(property);
  return write === 'ours' && isOurs?.(property) === true;
}

/** Returns the questions of a lookup: one for each list of identifiers that the record has. */
function questionsOf(
  operation: QuestionOperation,
  { record, policy }: PlanInput,
  wanted: readonly QuestionOption[],
): Question[] {
  const { needs, takes, options: offered } = LOOKUPS[operation];
  const known = identifiersOf(record);
  const options = wanted.filter((option) => offered[option] !== undefined);
  const isNameAlone = takes.includes('lastName') && known.lastName === undefined;
  if (isNameAlone && !policy.questions.allowFirstNameAlone) return [];
  return needs
    .filter((list) => list.every((each) => known[each] !== undefined))
    .map((list) => {
      const sent = IDENTIFIERS.filter((each) => list.includes(each) || takes.includes(each));
      const by = sent.flatMap((each) => (known[each] === undefined ? [] : [[each, known[each]] as const]));
      return { operation, by: Object.fromEntries(by), options };
    });
}

function identifiersOf(record: CrmRecord): Partial<Record<keyof Identifiers, string | undefined>> {
  const { companyDomain: associated, objectType, properties } = record;
  if (!isAboutPerson(record))
    return {
      domain: ownDomainOf(record),
      pageUrl: pageOf(properties['linkedin_company_page'] ?? '', objectType),
    };
  return {
    profileUrl: pageOf(properties['hs_linkedin_url'] ?? '', objectType),
    email: businessAddressOf(record)?.address,
    phone: phoneOf(record),
    firstName: nameAt(record, 'firstname'),
    lastName: nameAt(record, 'lastname'),
    // The company in HubSpot has priority: a website that a person typed may be a blog or a shop.
    domain: associated ?? companyDomain(textOf(record, 'website') ?? ''),
  };
}

function nameAt(record: CrmRecord, property: string): string | undefined {
  return cleanPersonName(textOf(record, property) ?? '').value;
}

/** Options that the policy buys. A phone is bought only if the contact has no phone number of any kind. */
function boughtOptions({ record, policy }: PlanInput): QuestionOption[] {
  const { wantEmail, wantPhone, companies } = policy.questions;
  const hasPhone = textOf(record, 'phone') ?? textOf(record, 'mobilephone');
  const isBought: Readonly<Record<QuestionOption, boolean>> = !isAboutPerson(record)
    ? { email: false, phone: false, ...companies }
    : { email: wantEmail, phone: wantPhone && !hasPhone, ...NO_COMPANY_OPTIONS };
  return QUESTION_OPTIONS.filter((option) => isBought[option]);
}

const NO_COMPANY_OPTIONS = { funding: false, technology: false, contacts: false };

type Services = Pick<EnrichmentServices, 'digest' | 'policy'>;

interface OwnedRecord extends Pick<ClaimedRecord, 'record'> {
  readonly ownership: ReturnType<typeof ownershipOf>;
}

type OwnQuestions = ReadonlyMap<string, Question>;

/**
 * Returns every question that the record's present values allow, by key. Includes the questions that the policy
 * excludes.
 */
export function ownQuestions({ digest, policy }: Services, { record, ownership }: OwnedRecord): OwnQuestions {
  const input = { record, policy: withEveryQuestion(policy), ...ownership };
  const questions = possibleQuestions(input, new Set());
  return new Map(questions.map((question) => [questionKey(question, digest), question]));
}

function withEveryQuestion(policy: Policy): Policy {
  return {
    ...policy,
    questions: { ...policy.questions, contacts: lookupsOf('person'), allowFirstNameAlone: true },
  };
}

interface AnswerKeys {
  readonly key: string;
  readonly operation: QuestionOperation;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Returns the record's own question that an answer serves: the same question, or one about the same person or company.
 * @returns `undefined` if the answer is about another person or company.
 */
export function ownQuestionAnsweredBy(
  { digest }: Services,
  own: OwnQuestions,
  { key, operation, record }: AnswerKeys,
): Question | undefined {
  const known = own.get(key);
  if (known) return known;
  const match = ownKeysOfAnswer(digest, { operation, record })
    .flatMap(keysAtVendors)
    .find((candidate) => own.has(candidate));
  return match === undefined ? undefined : own.get(match);
}

type FormerServices = Pick<EnrichmentServices, 'digest' | 'policy'>;

/** A record whose identity a person has changed since its last answer. */
interface CorrectedRecord {
  /** The record without the values that we wrote. */
  readonly given: CrmRecord;
  /** `another`: people's values contradict the values that we wrote. `unclear`: no evidence either way. */
  readonly identity: 'another' | 'unclear' | 'same';
  /** Whether a question that the record's present values allow still leads to the last answer. */
  readonly isLedToFormer: boolean;
}

/**
 * Finds out whether a person has edited the record so that it describes another person or company. Compares people's
 * values with ours, as if ours were an answer.
 * @returns `undefined` if there is no last answer, or nothing has changed since.
 */
export function correctedRecord(services: FormerServices, held: ClaimedRecord): CorrectedRecord | undefined {
  const { record, state } = held;
  const { answeredQuestion } = state;
  const hasWritten = Object.values(state.ownership).some(({ written }) => written);
  if (answeredQuestion === undefined || !hasWritten) return undefined;
  // A person accepted that answer in spite of evidence against it.
  const isAcceptedByPerson = state.verdicts.some(
    (verdict) => verdict.inSpiteOf !== undefined && verdict.questionKey === answeredQuestion,
  );
  if (isAcceptedByPerson) return undefined;
  const ownership = ownershipOf(services, held);
  const isChanged = state.fingerprint !== fingerprintOf(record, services);
  const own = ownQuestions(services, { record, ownership });
  const isLedToFormer = own.has(answeredQuestion);
  if (isLedToFormer && !isChanged) return undefined;
  const byAuthor = Object.groupBy(Object.entries(record.properties), ([property]) =>
    ownership.isOurs(property) ? 'ours' : 'given',
  );
  const given = { ...record, properties: Object.fromEntries(byAuthor.given ?? []) };
  const former = { ...record, properties: Object.fromEntries(byAuthor.ours ?? []) };
  const { kind } = weighEvidence('identity', { record: given, answer: asAnswer(former) });
  const isUnclear = kind === 'unknown' && !isLedToFormer;
  const identity = kind === 'contradiction' ? 'another' : isUnclear ? 'unclear' : 'same';
  return { given, identity, isLedToFormer };
}

/** Returns our written values in the form of an answer. */
function asAnswer(ours: CrmRecord): Readonly<Record<string, unknown>> {
  const fields = Object.entries(OBJECT_TYPE_ROWS[ours.objectType].named);
  return Object.fromEntries(fields.map(([property, field]) => [field, textOf(ours, property)]));
}
