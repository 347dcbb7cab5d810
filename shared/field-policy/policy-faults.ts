import { rowText, sentenceRow, type TextParamsOf, UpstreamError } from '#shared/kernel';

/** One fault of a policy in zod's form. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: unknown;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** Whether the limit itself is allowed. */
  readonly inclusive?: boolean;
  readonly errors?: readonly (readonly Issue[])[];
  /** Set by `zodFault`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A part of a policy that cannot be used. */
export interface PolicyFault {
  /** A code of `FAULT_TEXTS`, or the kind of value that was expected. */
  readonly code: string;
  /** Path of the part, such as `whom.contacts.0.name`. Empty for the policy itself. */
  readonly key: string;
  /** The place and what is wrong there, for a person. */
  readonly problem: string;
}

/** A policy that cannot be used. The message names each key to change. */
export class PolicyError extends UpstreamError {
  readonly faults: readonly PolicyFault[];

  constructor(faults: readonly PolicyFault[]) {
    const problems = faults.map(({ problem }) => problem);
    const lines = problems.length === 1 ? ` ${problems[0]}.` : problems.map((each) => `\n  ${each}`).join('');
    super({
      code: 'POLICY_INVALID',
      message: `The policy cannot be used. Change:${lines}`,
      retryable: false,
    });
    this.faults = faults;
  }
}

/**
 * Describes each fault of a policy as `place: expected value`. Positions are counted from 1. A rule is shown by its
 * name.
 */
export function policyFaults(input: unknown, issues: readonly Issue[]): PolicyFault[] {
  return issues
    .flatMap(inBranch)
    .flatMap((issue) =>
      issue.keys ? issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] })) : [issue],
    )
    .map((issue) => ({
      code: codeOf(issue),
      key: inOneLine(issue.path.map(String).join('.')),
      problem: inOneLine(`${placeOf(input, issue.path)}: ${problemOf(issue, valueAt(input, issue.path))}`),
    }));
}

/** Codes of zod that have a name of ours. */
const SHAPES: Readonly<Record<string, string>> = {
  unrecognized_keys: 'unknown-key',
  invalid_type: 'wrong-type',
  invalid_value: 'wrong-value',
  invalid_format: 'wrong-format',
  invalid_key: 'wrong-format',
  too_small: 'too-small',
  too_big: 'too-big',
};

function codeOf({ code = '', params }: Issue): string {
  return String(params?.['fault'] ?? SHAPES[code] ?? 'wrong-form');
}

/**
 * Selects the intended alternative of a union. It is the alternative with faults in nested values, not in its own type.
 */
function inBranch(issue: Issue): readonly Issue[] {
  if (issue.errors === undefined) return [issue];
  const deep = issue.errors.filter((errors) => errors.some(({ path }) => path.length > 0));
  // An alternative with unknown keys was not intended.
  const isKnown = (errors: readonly Issue[]) => !errors.some(({ keys, path }) => keys && path.length === 0);
  const intended = deep.find(isKnown) ?? deep[0];
  return intended ? intended.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}

function placeOf(input: unknown, path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the policy itself';
  const parts = path.map((key, index) => {
    if (typeof key !== 'number') {
      if (key === 'when' && index < path.length - 1) return '';
      return `${typeof path[index - 1] === 'number' ? ', ' : '.'}${String(key)}`;
    }
    if (path[0] === 'whom' && index === 2) return `, ${ruleAt(input, path.slice(0, 3))}`;
    return path[index - 1] === 'when' ? `, condition ${key + 1}` : `, entry ${key + 1}`;
  });
  return parts.join('').slice(1);
}

function ruleAt(input: unknown, path: readonly PropertyKey[]): string {
  const name = valueAt(input, [...path, 'name']);
  return typeof name === 'string' && name.trim() !== ''
    ? `rule ${quotedValue(name)}`
    : `rule ${Number(path[2]) + 1}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = Object(value)[key];
  return value;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function problemOf(issue: Issue, value: unknown): string {
  const { code, origin, minimum, maximum, inclusive, values = [] } = issue;
  switch (code) {
    case 'invalid_type':
      return `expected ${TYPES[String(issue.expected)] ?? issue.expected}, ${notThis(value)}`;
    case 'invalid_value':
      return `expected ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}, ${notThis(value)}`;
    case 'too_small':
      return `expected ${SIZES[origin ?? ''] ?? (inclusive === false ? `more than ${minimum}` : `${minimum} or more`)}, ${notThis(value)}`;
    case 'too_big':
      return `expected ${origin === 'string' ? `at most ${maximum} characters` : inclusive === false ? `less than ${maximum}` : `${maximum} or less`}, ${notThis(value)}`;
    default:
      return issue.message;
  }
}

const SIZES: Readonly<Record<string, string>> = {
  array: 'at least one entry',
  string: 'a text that is not empty',
};

function notThis(value: unknown): string {
  return value === undefined ? 'and it is missing' : `not ${quotedValue(value)}`;
}

/** A person's value, shortened and without control characters. */
export function quotedValue(value: unknown): string {
  // JSON has no NaN and no infinity.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  const safe = inOneLine(text);
  return safe.length > 60 ? `${safe.slice(0, 60)}…` : safe;
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\u200B\uFEFF]/gu, '?');
}

/** What is wrong with a part of a policy, by code. The place comes before the text: `questions.wantPhone: buys phones`. */
export const FAULT_TEXTS = {
  'no-budget': 'set budgets.perDay or budgets.perMonth: nothing is spent without a budget',
  'never-refuses': sentenceRow(
    { limit: 'budgets.perMonth', credits: 50 },
    ({ limit, credits }) =>
      `refuses nothing, because ${limit} allows only ${credits}: lower this limit, or leave it out`,
  ),
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

type FaultCode = keyof typeof FAULT_TEXTS;

/** The fault as zod's schemas report it. */
export function zodFault<Code extends FaultCode>(
  fault: Code,
  params: TextParamsOf<(typeof FAULT_TEXTS)[Code]>,
) {
  return { message: rowText(FAULT_TEXTS[fault], params), params: { fault } };
}
