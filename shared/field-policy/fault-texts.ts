import { rowText, sentenceRow, type TextParamsOf } from '#shared/kernel';

/** What is wrong with a part of a policy, by code. The place comes before the text: `questions.wantPhone: buys phones`. */
export const FAULT_TEXTS = {
  'no-budget': 'set budgets.perDay or budgets.perMonth: nothing is spent without a budget',
  'unknown-time-zone': 'expected an IANA time zone such as Europe/Berlin',
  'not-a-domain': 'expected a domain in lower case, such as mail.example',
  'duplicate-question': 'each question may be named once',
  'shrinking-list': 'expected a list that does not shrink, such as [30, 90, 180]',
  'weight-without-value': 'say for which values it counts: is (a text) or above (a number)',
  'unused-option': sentenceRow(
    { option: 'funding' },
    ({ option }) =>
      `buys ${option} of companies, and no field takes it: add a field whose "from" begins with "${option}/", or leave it out`,
  ),
  'unused-phones': 'buys phones, and no field takes "mobilePhone": add one, or leave it out',
  'group-of-company': 'only a property of contacts has a group',
  'unknown-answer-key': sentenceRow(
    { key: 'titel', known: 'title, city' },
    ({ key, known }) => `no record has "${key}"; it may begin with ${known}`,
  ),
  'incomplete-field': sentenceRow(
    { missing: 'convert, write' },
    ({ missing }) => `has no default, so it needs ${missing} too`,
  ),
  'different-rules': sentenceRow(
    { property: 'jobtitle', first: 'ours' },
    ({ property, first }) => `all rules of ${property} must say the same, the first says ${first}`,
  ),
  'no-subject': sentenceRow(
    { kinds: 'business, none' },
    ({ kinds }) => `name one property: property or companyProperty; or email (${kinds}) alone`,
  ),
  'no-comparison': sentenceRow(
    { comparisons: 'is, in, not' },
    ({ comparisons }) => `say once what the value is compared with: one of ${comparisons}`,
  ),
  'email-with-others': 'stands alone in its condition: put other comparisons into a condition of their own',
  'needless-or-blank': 'says nothing beside blank or filled',
  'reserved-name': sentenceRow(
    { name: 'no rule fits' },
    ({ name }) => `"${name}" is what figures call records without a rule`,
  ),
  'duplicate-name': sentenceRow({ name: 'leads' }, ({ name }) => `two rules are called "${name}"`),
  'needless-on-request': 'is for rules with enrich: false; other records may be requested anyway',
  'address-of-company': 'companies have no address',
  'company-of-company': 'is for contacts; say property',
} as const;

export type FaultCode = keyof typeof FAULT_TEXTS;

/** The fault as zod's schemas report it. */
export function zodFault<Code extends FaultCode>(
  fault: Code,
  params: TextParamsOf<(typeof FAULT_TEXTS)[Code]>,
) {
  return { message: rowText(FAULT_TEXTS[fault], params), params: { fault } };
}
