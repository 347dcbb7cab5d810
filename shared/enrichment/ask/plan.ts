import { type CrmRecord, isAboutPerson } from '#shared/crm';
import { adds, answerKeyOf, canFill, type FieldRule, type Policy } from '#shared/field-policy';
import {
  addressesOf,
  businessAddressOf,
  cleanPersonName,
  companyDomain,
  ownDomainOf,
  pageOf,
  phoneOf,
  textOf,
} from '#shared/identity';
import { LOOKUPS, lookupsOf, type Question, type QuestionOperation, withinPrice } from '#shared/questions';
import type { ExplanationCode } from '#shared/records';
import { IDENTIFIERS, type Identifiers, QUESTION_OPTIONS, type QuestionOption } from '#shared/vendor';

export type SkipReason = Extract<
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

/** Plans the cheapest question that fills missing properties which the policy wants, or refreshes our own values. */
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
export function possibleQuestions(input: PlanInput, wanted: ReadonlySet<string>): Question[] {
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

function isWanted({ property, write, convert }: FieldRule, input: PlanInput): boolean {
  const { record, isOurs, isClosed, isWritable } = input;
  // Most countries have no state code. The state code comes with the state, and alone is not worth a lookup.
  if (convert === 'state-code') return false;
  if (write === 'never' || isWritable?.(property) === false) return false;
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
