function faultRow<Params extends object>(example: Params, text: (params: Params) => string) {
  return { example, text };
}

/** What is wrong with a part of a policy, by code. The place comes before the text: `questions.wantPhone: buys phones`. */
export const FAULT_TEXTS = {
  'no-budget': faultRow(
    {},
    () => 'set budgets.perDay or budgets.perMonth: nothing is spent without a budget',
  ),
  'unknown-time-zone': faultRow({}, () => 'expected an IANA time zone such as Europe/Berlin'),
  'duplicate-question': faultRow({}, () => 'each question may be named once'),
  'shrinking-list': faultRow({}, () => 'expected a list that does not shrink, such as [30, 90, 180]'),
  'weight-without-value': faultRow(
    {},
    () => 'say for which values it counts: is (a text) or above (a number)',
  ),
  'unused-option': faultRow(
    { option: 'funding' },
    ({ option }) =>
      `buys ${option} of companies, and no field takes it: add a field whose "from" begins with "${option}/", or leave it out`,
  ),
  'unused-phones': faultRow(
    {},
    () => 'buys phones, and no field takes "mobile_number": add one, or leave it out',
  ),
  'group-of-company': faultRow({}, () => 'only a property of contacts has a group'),
  'unknown-answer-key': faultRow(
    { key: 'titel', known: 'title, city' },
    ({ key, known }) => `no record has "${key}"; it may begin with ${known}`,
  ),
  'incomplete-field': faultRow(
    { missing: 'convert, write' },
    ({ missing }) => `has no default, so it needs ${missing} too`,
  ),
  'different-rules': faultRow(
    { property: 'jobtitle', first: 'ours' },
    ({ property, first }) => `all rules of ${property} must say the same, the first says ${first}`,
  ),
  'no-subject': faultRow(
    { kinds: 'business, none' },
    ({ kinds }) => `name one property: property or companyProperty; or email (${kinds}) alone`,
  ),
  'no-comparison': faultRow(
    { comparisons: 'is, in, not' },
    ({ comparisons }) => `say once what the value is compared with: one of ${comparisons}`,
  ),
  'email-with-others': faultRow(
    {},
    () => 'stands alone in its condition: put other comparisons into a condition of their own',
  ),
  'needless-or-blank': faultRow({}, () => 'says nothing beside blank or filled'),
  'reserved-name': faultRow(
    { name: 'no rule fits' },
    ({ name }) => `"${name}" is what figures call records without a rule`,
  ),
  'duplicate-name': faultRow({ name: 'leads' }, ({ name }) => `two rules are called "${name}"`),
  'needless-on-request': faultRow(
    {},
    () => 'is for rules with enrich: false; other records may be requested anyway',
  ),
  'address-of-company': faultRow({}, () => 'companies have no address'),
  'company-of-company': faultRow({}, () => 'is for contacts; say property'),
} as const;

export type FaultCode = keyof typeof FAULT_TEXTS;
type FaultParams<Code extends FaultCode> = Parameters<(typeof FAULT_TEXTS)[Code]['text']>[0];

/** The fault as zod's schemas report it. */
export function zodFault<Code extends FaultCode>(fault: Code, params: FaultParams<Code>) {
  const text: (params: never) => string = FAULT_TEXTS[fault].text;
  return { message: text(params as never), params: { fault } };
}
