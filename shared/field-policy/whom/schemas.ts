import * as z from 'zod';
import { byObjectType, isAboutPerson, type ObjectType } from '#shared/crm';
import { foldText, hostOf } from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import { zodFault } from '../policy-faults.ts';
import { closed, propertyName } from '../schemas.ts';

/** Shown in figures in place of a rule's name if no rule fits. */
export const NO_RULE = 'no rule fits';

/** Kinds of addresses. `none`: no address, or an invalid one. */
const ADDRESS_KINDS = ['business', 'free-mail', 'role', 'none'] as const;

/** One comparison of the rules. Its row has all that the program knows about it. */
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
const comparisonShape = Object.fromEntries(
  COMPARISON_NAMES.map((name) => [name, COMPARISONS[name].schema.optional()]),
) as unknown as { readonly [Name in ComparisonName]: z.ZodOptional<Comparisons[Name]['schema']> };

/** Returns the condition's comparison, with the value that it wants. */
export function comparisonIn(condition: Wanted): {
  readonly name: ComparisonName;
  readonly row: Comparison<unknown>;
  readonly wanted: unknown;
} {
  const name = COMPARISON_NAMES.find((each) => condition[each] !== undefined) ?? 'filled';
  return { name, row: COMPARISONS[name] as Comparison<unknown>, wanted: condition[name] };
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

const SUBJECTS = ['property', 'companyProperty', 'email'] as const;

/** One schema for both kinds of conditions, so that each fault names the key at fault. */
const conditionObject = closed({
  property: propertyName.optional(),
  /** A property of the contact's company, in place of `property`. */
  companyProperty: propertyName.optional(),
  /** The kind of a contact's address. Such a condition has no other key. */
  email: z.enum(ADDRESS_KINDS).optional(),
  ...comparisonShape,
  /** A blank value also fits. */
  orBlank: z.literal(true).optional(),
});

const conditionSchema = conditionObject
  .superRefine((condition, context) => {
    const add = (path: PropertyKey[], fault: ReturnType<typeof zodFault>) =>
      context.addIssue({ code: 'custom', path, ...fault });
    const given = COMPARISON_NAMES.filter((name) => condition[name] !== undefined);
    const subjects = SUBJECTS.filter((name) => condition[name] !== undefined);
    if (subjects.length !== 1) add([], zodFault('no-subject', { kinds: ADDRESS_KINDS.join(', ') }));
    else if (condition.email === undefined && given.length !== 1)
      add([], zodFault('no-comparison', { comparisons: COMPARISON_NAMES.join(', ') }));
    else if (condition.email !== undefined && (given.length > 0 || condition.orBlank))
      add(['email'], zodFault('email-with-others', {}));
    if (condition.orBlank && (condition.blank || condition.filled))
      add(['orBlank'], zodFault('needless-or-blank', {}));
  })
  .transform(({ email, ...rest }): AddressCondition | PropertyCondition =>
    email === undefined ? rest : { email },
  );

interface AddressCondition {
  readonly email: (typeof ADDRESS_KINDS)[number];
}

/** The comparison of one property's value. */
export type PropertyCondition = Omit<z.output<typeof conditionObject>, 'email'>;

/** A name is shown on terminals, pages and cards, so it has no line breaks, control or direction characters. */
const ruleName = text
  .max(60)
  .regex(
    /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\u200B\uFEFF]*$/u,
    'expected a name in one line, without control characters',
  )
  .refine((name) => name !== NO_RULE, zodFault('reserved-name', { name: NO_RULE }));

/** The part of every rule that selects records. */
const fittingShape = {
  /** The name for people. */
  name: ruleName,
  /** All conditions must be met. Without conditions, the rule fits every record. */
  when: z.array(conditionSchema).default([]),
};

const ruleShape = {
  ...fittingShape,
  /** Whether lookups may be bought for the record. */
  enrich: z.boolean().default(true),
  /** Whether a person's own request for the record may buy lookups in spite of `enrich: false`. */
  onRequest: z.boolean().default(false),
  /** Whether the record is looked up again when it is stale. */
  refresh: z.boolean().default(true),
  /** Whether the record may be looked up again after its values expired (`privacy.retention`) or were recalled. */
  afterRetention: z.boolean().default(false),
  /** Limit for the cost of one run, credits. */
  maxCredits: z.int().positive().optional(),
  /**
   * Minutes after a record's creation during which free sources may fill the record. After this, values that are still
   * blank are looked up.
   */
  waitMinutes: z
    .int()
    .positive()
    .max(30 * 24 * 60)
    .optional(),
};

const contactRuleSchema = closed({
  ...ruleShape,
  wantEmail: z.boolean().optional(),
  wantPhone: z.boolean().optional(),
});

const companyRuleSchema = closed({
  ...ruleShape,
  funding: z.boolean().optional(),
  technology: z.boolean().optional(),
  contacts: z.boolean().optional(),
});

/** A rule that limits how long values are kept. */
const retentionRuleSchema = z.strictObject({
  ...fittingShape,
  /** Days after the first answer. After these days, values that are still ours are cleared. */
  days: z.int().positive(),
  /** Counts the days from the newest answer instead of the first. */
  refreshProlongs: z.boolean().default(false),
});
export type RetentionRule = z.infer<typeof retentionRuleSchema>;

const noticeRuleSchema = z.strictObject({
  ...fittingShape,
  /** Whether the people of these contacts must be informed. */
  due: z.boolean().default(true),
  /** Days after the first data were obtained. */
  days: z.int().positive().default(30),
});

type AnyRule =
  | typeof contactRuleSchema
  | typeof companyRuleSchema
  | typeof retentionRuleSchema
  | typeof noticeRuleSchema;

function rulesOf<S extends AnyRule>(rule: S, objectType: ObjectType) {
  return z.array(rule).superRefine((rules, context) => {
    rules.forEach((each, index) => {
      const { name, when } = each;
      const add = (path: PropertyKey[], fault: ReturnType<typeof zodFault>) =>
        context.addIssue({ code: 'custom', path: [index, ...path], ...fault });
      if (rules.findIndex((other) => other.name === name) < index)
        add(['name'], zodFault('duplicate-name', { name }));
      if ('onRequest' in each && each.onRequest && each.enrich)
        add(['onRequest'], zodFault('needless-on-request', {}));
      for (const [nth, condition] of when.entries()) {
        if (isAboutPerson({ objectType })) continue;
        if ('email' in condition) add(['when', nth, 'email'], zodFault('address-of-company', {}));
        else if (condition.companyProperty !== undefined)
          add(['when', nth, 'companyProperty'], zodFault('company-of-company', {}));
      }
    });
  });
}

/** Rules for lookups, by object type. The first rule that fits decides. Without a list, every record is allowed. */
export const whomSchema = closed({
  contacts: rulesOf(contactRuleSchema, 'contacts').optional(),
  companies: rulesOf(companyRuleSchema, 'companies').optional(),
});

/** Rules for the retention of values, by object type. The first rule that fits decides. If none fits, the values are kept. */
export const retentionSchema = z.strictObject(
  byObjectType((type) => rulesOf(retentionRuleSchema, type).optional()),
);

/** Rules for notices to people whose data were obtained. The first rule that fits a contact decides. */
export const noticeRulesSchema = rulesOf(noticeRuleSchema, 'contacts');

export type WhomCondition = z.infer<typeof conditionSchema>;
/** A rule of either object type. */
export type WhomRule = z.infer<typeof contactRuleSchema> & Partial<z.infer<typeof companyRuleSchema>>;
