import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { companyDomainOf, mailOf, phoneOf, profileUrlOf, textOf } from '#shared/identity/record-identity.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import type { Question, QuestionOption } from '#shared/questions/question.ts';

export type SkipReason = 'no-identifier' | 'free-mail-only' | 'opted-out' | 'nothing-to-fill';

export type Plan =
  /** In the order in which they may be asked; the first one at least. */
  | { readonly kind: 'ask'; readonly questions: readonly [Question, ...Question[]] }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

export interface PlanInput {
  readonly record: CrmRecord;
  /** The domain of the contact's company in HubSpot, where it has one. */
  readonly associatedDomain?: string | undefined;
  readonly policy: Policy;
  /** Properties that still hold what we last wrote: under `ours` they may be written again. */
  readonly lastWritten: Readonly<Record<string, string>>;
  /** Whether a blank property is to stay blank. */
  readonly isClosed?: ((property: string) => boolean) | undefined;
  /** Whether a fresh answer to a question is there already: it comes first, and an interrupted write is finished. */
  readonly isPaidFor?: ((question: Question) => boolean) | undefined;
}

/** The cheapest question that can fill what the policy wants and the record lacks. */
export function planQuestions(input: PlanInput): Plan {
  const { record, policy } = input;
  if (hasOptedOut(record)) return { kind: 'skip', reason: 'opted-out' };
  const possible = record.objectType === 'companies' ? companyQuestions(input) : contactQuestions(input);
  const paid = possible.filter((question) => input.isPaidFor?.(question));
  if (paid.length === 0 && !wantsAnything(input)) return { kind: 'skip', reason: 'nothing-to-fill' };
  const [first, ...rest] = [...paid, ...possible.filter((question) => !paid.includes(question))];
  if (first) return { kind: 'ask', questions: policy.questions.fallThrough ? [first, ...rest] : [first] };
  return { kind: 'skip', reason: mailOf(record)?.free ? 'free-mail-only' : 'no-identifier' };
}

export function hasOptedOut({ properties }: Pick<CrmRecord, 'properties'>): boolean {
  return properties['hs_contact_enrichment_opt_out'] === 'true';
}

function wantsAnything({ record, policy, lastWritten, isClosed }: PlanInput): boolean {
  return policy.fields[record.objectType].some(({ property, write }) => {
    if (write === 'never') return false;
    if (write === 'always') return true;
    if (textOf(record, property) === undefined) return !isClosed?.(property);
    return write === 'ours' && lastWritten[property] !== undefined;
  });
}

function companyQuestions({ record, policy }: PlanInput): Question[] {
  const wanted = policy.questions.companies;
  const options = (['funding', 'technology', 'contacts'] as const).filter((option) => wanted[option]);
  const domain = companyDomainOf(record, ['domain', 'website']);
  const page = profileUrlOf(record, 'linkedin_company_page');
  const parameters = [...(domain ? [{ domain }] : []), ...(page ? [{ network_url: page }] : [])];
  return parameters.map((one) => ({ operation: 'companyProfile', parameters: one, options }));
}

function contactQuestions(input: PlanInput): Question[] {
  return input.policy.questions.contacts.flatMap((operation) => contactQuestion(operation, input) ?? []);
}

function contactQuestion(
  operation: Policy['questions']['contacts'][number],
  input: PlanInput,
): Question | undefined {
  const { record } = input;
  const options = personOptions(input);
  switch (operation) {
    case 'personProfile': {
      const url = profileUrlOf(record, 'hs_linkedin_url');
      return url ? { operation, parameters: { network_url: url }, options } : undefined;
    }
    case 'reverseEmail': {
      const mail = mailOf(record);
      return mail && !mail.free ? { operation, parameters: { email: mail.address }, options: [] } : undefined;
    }
    case 'lookUpPerson':
      return nameQuestion(input, options);
    case 'reversePhone': {
      const phone = phoneOf(record);
      return phone ? { operation, parameters: { phone }, options: [] } : undefined;
    }
    default:
      return unreachable(operation);
  }
}

function nameQuestion(
  { record, associatedDomain, policy }: PlanInput,
  options: QuestionOption[],
): Question | undefined {
  const first_name = textOf(record, 'firstname');
  const last_name = textOf(record, 'lastname');
  const company_domain = companyDomainOf(record, ['website']) ?? associatedDomain;
  if (!first_name || !company_domain) return undefined;
  if (!last_name && !policy.questions.allowFirstNameAlone) return undefined;
  const parameters = { company_domain, first_name, ...(last_name && { last_name }) };
  return { operation: 'lookUpPerson', parameters, options };
}

function personOptions({ record, policy, isClosed }: PlanInput): QuestionOption[] {
  const lacks = (property: string) => !textOf(record, property) && !isClosed?.(property);
  const hasPhone = textOf(record, 'phone') ?? textOf(record, 'mobilephone');
  const lacksPhone = !hasPhone && (lacks('phone') || lacks('mobilephone'));
  return [
    ...(policy.questions.wantEmail && lacks('email') ? (['email'] as const) : []),
    ...(policy.questions.wantPhone && lacksPhone ? (['phone'] as const) : []),
  ];
}
