import { rowText, type TextParamsOf } from '#shared/kernel';

type Figures = Readonly<Record<string, string | number>>;

function refusing<More extends Figures>(
  example: More,
  text: (params: More & { readonly parameter: string }) => string,
) {
  return { example: { parameter: 'from', ...example }, text };
}

/** Why a parameter of the spend page is refused, by code. */
export const QUERY_REFUSALS = {
  'unknown-choice': refusing(
    { choices: 'day, rule' },
    ({ parameter, choices }) => `${parameter} must be one of ${choices}.`,
  ),
  'not-a-month': refusing({}, ({ parameter }) => `${parameter} must be like 2026-11.`),
  'not-a-day': refusing({}, ({ parameter }) => `${parameter} must be a day like 2026-11-21.`),
  'no-statement': refusing(
    { why: 'The books are empty: no credit was spent or bought.' },
    ({ parameter, why }) => `${parameter}: ${why}`,
  ),
  'not-begun': refusing(
    { start: 'January 2031' },
    ({ parameter, start }) => `${parameter} is ${start}, which has not begun.`,
  ),
  'month-and-range': refusing({}, ({ parameter }) => `${parameter} must stand without from and to.`),
  'missing-parameter': refusing({}, ({ parameter }) => `${parameter} is missing, and to needs it.`),
  'ends-before-start': refusing({}, ({ parameter }) => `${parameter} must not be after to.`),
  'range-too-long': refusing(
    { maxDays: 92 },
    ({ parameter, maxDays }) => `${parameter} and to must be ${maxDays} days at most.`,
  ),
  'not-an-asker': refusing(
    {},
    ({ parameter }) => `${parameter} must be like user, user:12345, source:IMPORT or schedule.`,
  ),
  'not-a-record': refusing({}, ({ parameter }) => `${parameter} must be like contacts#123.`),
  'not-a-record-id': refusing({}, ({ parameter }) => `${parameter} must be the number of a HubSpot record.`),
  'not-an-entry': refusing(
    {},
    ({ parameter }) => `${parameter} must be the number of an entry of the ledger.`,
  ),
  'not-a-place': refusing(
    {},
    ({ parameter }) => `${parameter} must be copied from the link of the page before.`,
  ),
  'not-credits': refusing({}, ({ parameter }) => `${parameter} must be a whole number of credits.`),
} as const;

export type QueryRefusalCode = keyof typeof QUERY_REFUSALS;
type QueryRefusalParams<Code extends QueryRefusalCode> = TextParamsOf<(typeof QUERY_REFUSALS)[Code]>;

export interface RefusedQuery {
  readonly kind: 'refused';
  readonly code: QueryRefusalCode;
  readonly params: Figures & { readonly parameter: string };
  /** The sentence of the code, which names the parameter. */
  readonly problem: string;
}

export function refusedQuery<Code extends QueryRefusalCode>(
  code: Code,
  params: QueryRefusalParams<Code>,
): RefusedQuery {
  return { kind: 'refused', code, params, problem: rowText(QUERY_REFUSALS[code], params) };
}
