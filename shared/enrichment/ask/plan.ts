import type { CrmRecord } from '#shared/crm';
import {
  adds,
  answerKeyOf,
  COMPANY_OPTIONS,
  canFill,
  type FieldRule,
  type Policy,
} from '#shared/field-policy';
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
import { unreachable } from '#shared/kernel';
import { type Question, type QuestionOption, withinPrice } from '#shared/questions';
import type { ExplanationCode } from '#shared/records';

export type SkipReason = Extract<
  ExplanationCode,
  | 'no-identifier'
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
  return input.record.objectType === 'companies'
    ? companyQuestions(input, wanted)
    : contactQuestions(input, wanted);
}

function reasonOf(record: CrmRecord): SkipReason {
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

function companyQuestions({ record, policy }: PlanInput, wanted: ReadonlySet<string>): Question[] {
  const bought = policy.questions.companies;
  const options = COMPANY_OPTIONS.filter((option) => bought[option] && adds(option, wanted));
  const domain = ownDomainOf(record);
  const page = pageOf(record.properties['linkedin_company_page'] ?? '', 'companies');
  const parameters = [...(domain ? [{ domain }] : []), ...(page ? [{ network_url: page }] : [])];
  return parameters.map((identifier) => ({ operation: 'companyProfile', parameters: identifier, options }));
}

/** Prefers questions by people's values. A question by values that we wrote is the last resort. */
function contactQuestions(input: PlanInput, wanted: ReadonlySet<string>): Question[] {
  const { record, isOurs } = input;
  const given = Object.entries(record.properties).filter(([property]) => isOurs?.(property) !== true);
  const withoutOurs = { ...record, properties: Object.fromEntries(given) };
  const options = personOptions(input, wanted);
  const questions = [withoutOurs, record].flatMap((source) =>
    input.policy.questions.contacts.flatMap(
      (operation) => contactQuestion(operation, { ...input, record: source, options }) ?? [],
    ),
  );
  return [...Map.groupBy(questions, ({ operation }) => operation).values()].flatMap(([first]) => first ?? []);
}

interface Asking extends PlanInput {
  readonly options: QuestionOption[];
}

function contactQuestion(
  operation: Policy['questions']['contacts'][number],
  input: Asking,
): Question | undefined {
  const { record, options } = input;
  switch (operation) {
    case 'personProfile': {
      const url = pageOf(record.properties['hs_linkedin_url'] ?? '', 'contacts');
      return url ? { operation, parameters: { network_url: url }, options } : undefined;
    }
    case 'reverseEmail': {
      const mail = businessAddressOf(record);
      return mail ? { operation, parameters: { email: mail.address }, options: [] } : undefined;
    }
    case 'lookUpPerson':
      return nameQuestion(input);
    case 'reversePhone': {
      const phone = phoneOf(record);
      return phone ? { operation, parameters: { phone }, options: [] } : undefined;
    }
    default:
      return unreachable(operation);
  }
}

function nameQuestion({ record, policy, options }: Asking): Question | undefined {
  const first_name = nameAt(record, 'firstname');
  const last_name = nameAt(record, 'lastname');
  // The company in HubSpot has priority: a website that a person typed may be a blog or a shop.
  const company_domain = record.companyDomain ?? companyDomain(textOf(record, 'website') ?? '');
  if (!first_name || !company_domain) return undefined;
  if (!last_name && !policy.questions.allowFirstNameAlone) return undefined;
  const parameters = { company_domain, first_name, ...(last_name && { last_name }) };
  return { operation: 'lookUpPerson', parameters, options };
}

function nameAt(record: CrmRecord, property: string): string | undefined {
  return cleanPersonName(textOf(record, property) ?? '').value;
}

/** Options to buy. A phone is bought only if the contact has no phone number of any kind. */
function personOptions({ record, policy }: PlanInput, wanted: ReadonlySet<string>): QuestionOption[] {
  const { wantEmail, wantPhone } = policy.questions;
  const hasPhone = textOf(record, 'phone') ?? textOf(record, 'mobilephone');
  const bought = [
    ...(wantEmail ? (['email'] as const) : []),
    ...(wantPhone && !hasPhone ? (['phone'] as const) : []),
  ];
  return bought.filter((option) => adds(option, wanted));
}
