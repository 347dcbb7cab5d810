/** The comparisons of the rules. One row has all that the program knows about a comparison. */
import * as z from 'zod';
import { foldText, hostOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';

interface Comparison<Wanted> {
  /** Form of the wanted value in a rule. */
  readonly schema: z.ZodType<Wanted, Wanted>;
  /** Unit and meaning, for the reference. */
  readonly meaning: readonly [unit: string, effect: string];
  /** Whether a value that is not blank fits. */
  readonly holds: (value: string, wanted: Wanted, nowMs: number) => boolean;
  /** A blank value fits, and no other value. */
  readonly isOfBlanks?: true;
  /** The wanted values are options of the property, if it has options. */
  readonly isOfOptions?: true;
}

function comparison<Wanted>(
  schema: z.ZodType<Wanted, Wanted>,
  meaning: Comparison<Wanted>['meaning'],
  holds: Comparison<Wanted>['holds'],
  more: Pick<Comparison<Wanted>, 'isOfBlanks' | 'isOfOptions'> = {},
): Comparison<Wanted> {
  return { schema, meaning, holds, ...more };
}

const OPTIONS = { isOfOptions: true } as const;
const text = z.string().trim().min(1);
const texts = z.array(text).min(1);
const textOrTexts = z.union([text, texts], { error: 'expected a text or a list of texts' });
const domain = text.regex(
  /^(?:[\p{L}\p{N}-]+|)(?:\.[\p{L}\p{N}-]+)+$/u,
  'expected a domain such as example.com, or an ending such as .edu',
);

export const COMPARISONS = {
  is: comparison(text, ['', 'equals this value'], (value, wanted) => isOneOf(value, [wanted]), OPTIONS),
  in: comparison(texts, ['', 'equals one of these values'], isOneOf, OPTIONS),
  not: comparison(
    textOrTexts,
    ['', 'equals none of these values'],
    (value, unwanted) => !isOneOf(value, [unwanted].flat()),
    OPTIONS,
  ),
  above: comparison(z.number(), ['', 'is a greater number'], (value, least) => Number(value) > least),
  below: comparison(z.number(), ['', 'is a smaller number'], (value, most) => Number(value) < most),
  before: comparison(
    z.number().nonnegative(),
    ['days', 'is a date at least so many days ago'],
    (value, days, nowMs) => timeIn(value) <= nowMs - days * DAY_MS,
  ),
  blank: comparison(z.literal(true), ['', 'is empty'], () => false, { isOfBlanks: true }),
  filled: comparison(z.literal(true), ['', 'is not empty'], () => true),
  domain: comparison(
    z.array(domain).min(1),
    ['', 'is an address or website of one of these domains or endings'],
    liesInOne,
  ),
};

type Comparisons = typeof COMPARISONS;
export type ComparisonName = keyof Comparisons;
type Wanted = { readonly [Name in ComparisonName]?: z.output<Comparisons[Name]['schema']> | undefined };

export const COMPARISON_NAMES = Object.keys(COMPARISONS) as ComparisonName[];

/** Schemas of the comparisons, of which a condition has one. */
export const comparisonShape = Object.fromEntries(
  COMPARISON_NAMES.map((name) => [name, COMPARISONS[name].schema.optional()]),
) as unknown as { readonly [Name in ComparisonName]: z.ZodOptional<Comparisons[Name]['schema']> };

/** Returns the condition's comparison, with the value that it wants. */
export function comparisonIn(condition: Wanted): {
  readonly row: Comparison<unknown>;
  readonly wanted: unknown;
} {
  const name = COMPARISON_NAMES.find((each) => condition[each] !== undefined) ?? 'filled';
  return { row: COMPARISONS[name] as Comparison<unknown>, wanted: condition[name] };
}

/**
 * Compares without case and spaces at the ends. HubSpot joins several options by semicolons. One of the options must
 * fit.
 */
function isOneOf(value: string, wanted: readonly string[]): boolean {
  const values = new Set([value, ...value.split(';')].map(foldText));
  return wanted.some((each) => values.has(foldText(each)));
}

/** Parses HubSpot's dates: ISO 8601 or epoch milliseconds. `NaN` for other texts, so that no comparison fits. */
function timeIn(value: string): number {
  return /^\d{10,}$/.test(value) ? Number(value) : Date.parse(value);
}

/**
 * Whether the domain of an address or a website is in the list or below one of its entries. An entry can be an ending
 * that cannot be registered, such as `.edu` or `ac.uk`. A website with an @ in its path is not an address.
 */
function liesInOne(value: string, domains: readonly string[]): boolean {
  const host = hostOf(value);
  if (host === undefined) return false;
  return domains.some((each) => {
    const listed = each.replace(/^\./, '').toLowerCase();
    const wanted = hostOf(listed) ?? listed;
    return host === wanted || host.endsWith(`.${wanted}`);
  });
}
