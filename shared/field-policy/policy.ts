import * as z from 'zod';
import { byObjectType, isAboutPerson, OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { isTimeZone } from '#shared/kernel';
import { lookupsOf } from '#shared/questions';
import { DEFAULT_FIELDS, DEFAULT_WEIGHTS } from './default-fields.ts';
import { adds, answerKeyOf, COMPANY_OPTIONS, type FieldRule, recordKeys } from './field-rule.ts';
import { PolicyError, policyFaults, zodFault } from './policy-faults.ts';
import { closed, fieldsSchema, propertyName } from './schemas.ts';
import { noticeRulesSchema, retentionSchema, type WhomRule, whomSchema } from './whom/schemas.ts';

/** The questions for a contact in the default order: the cheapest and most reliable first. */
const CONTACT_QUESTIONS = lookupsOf('person');

const credits = z.int().nonnegative();
const days = z.int().positive();
const share = z.number().min(0).max(1);

const contactQuestionsSchema = z
  .array(z.enum(CONTACT_QUESTIONS))
  .min(1)
  .refine((order) => new Set(order).size === order.length, zodFault('duplicate-question', {}));

const questionsSchema = closed({
  /** Order of the questions. A question that is not in the list is never sent. */
  contacts: contactQuestionsSchema.default([...CONTACT_QUESTIONS]),
  /** Pay for an email (+2) if the contact has none. */
  wantEmail: z.boolean().default(true),
  /** Pay for a phone (+3) if the contact has none. */
  wantPhone: z.boolean().default(false),
  allowFirstNameAlone: z.boolean().default(false),
  /** After "no match", send the next question that the record allows. It is charged at its own price. */
  fallThrough: z.boolean().default(false),
  companies: closed({
    funding: z.boolean().default(false),
    technology: z.boolean().default(false),
    contacts: z.boolean().default(false),
  }).prefault({}),
});

/** Permitted weights of records in the refresh. Weights are only added, because stored records have them. */
export const WEIGHTS = [0.1, 0.3, 1, 3, 10, 30, 100] as const;
export type Weight = (typeof WEIGHTS)[number];

/** The weight of records with a property's value. The first row that fits a record counts. */
const weightSchema = closed({
  property: propertyName,
  is: z.string().min(1).optional(),
  above: z.number().optional(),
  /** Value of accurate data. Records without a row have 1. */
  weight: z.literal(WEIGHTS, { error: `expected one of ${WEIGHTS.join(', ')}` }),
}).refine(
  ({ is, above }) => (is === undefined) !== (above === undefined),
  zodFault('weight-without-value', {}),
);

/** The price of one credit in money. It is only shown to people and has no effect on decisions. */
const creditPriceSchema = closed({
  amount: z.number().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'expected three letters, such as EUR' }),
});

const limitSchema = closed({ perDay: credits.optional(), perMonth: credits.optional() });

type Limits = z.infer<typeof limitSchema>;

const budgetsSchema = closed({
  /** Credits of all purposes together, in a day and in a month of the policy's time zone. */
  perDay: credits.optional(),
  perMonth: credits.optional(),
  purposes: z.partialRecord(z.enum(PURPOSES), limitSchema).default({}),
})
  .refine((budgets) => budgets.perDay !== undefined || budgets.perMonth !== undefined, {
    path: ['perDay'],
    ...zodFault('no-budget', {}),
  })
  .superRefine(({ purposes, ...total }, context) => {
    refuseNeedlessLimits(context, { path: [], own: total, total });
    for (const [purpose, own = {}] of Object.entries(purposes))
      refuseNeedlessLimits(context, { path: ['purposes', purpose], own, total });
  });

/** Refuses limits that can never refuse a lookup, because a lower and wider limit always refuses first. */
function refuseNeedlessLimits(
  context: z.core.$RefinementCtx,
  { path, own, total }: { path: string[]; own: Limits; total: Limits },
): void {
  const month = { name: 'perMonth', credits: total.perMonth };
  const ownMonth = { name: [...path, 'perMonth'].join('.'), credits: own.perMonth };
  const wider = { perDay: [{ name: 'perDay', credits: total.perDay }, ownMonth, month], perMonth: [month] };
  for (const period of ['perDay', 'perMonth'] as const) {
    const limit = own[period] ?? 0;
    const lower = wider[period].find((each) => each.credits !== undefined && each.credits < limit);
    if (lower?.credits === undefined) continue;
    const fault = zodFault('never-refuses', { limit: `budgets.${lower.name}`, credits: lower.credits });
    context.addIssue({ code: 'custom', path: [...path, period], ...fault });
  }
}

const userIds = z
  .array(z.string().regex(/^\d{1,20}$/, { error: 'expected the id of a HubSpot user, such as "1001"' }))
  .default([]);

/** The HubSpot users who may do more than look up a few records, decide what is free, pause and stop. */
const peopleSchema = closed({
  /** Credits a day that a user may spend on the card; users in `spend` may spend more, within the budgets. */
  creditsPerDay: credits.default(10),
  spend: userIds,
  /** Users who may accept the values of an answer that contradicts the record. */
  decide: userIds,
  /** Users who may start, approve and resume backfills, and start many waiting records. */
  approve: userIds,
  /** Users who may resume spending after a person stopped it. */
  resume: userIds,
});

/** More than a list of additions needs; a longer one belongs into the built-in list. */
const MAX_ADDITIONS = 200;
/** A domain in lower case. The list of public suffixes is left out, because it is large. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Additions to the built-in lists of addresses that name no employer, or no person. */
const addressesSchema = closed({
  /** Domains whose addresses say nothing about an employer. */
  mailProviders: z
    .array(z.string().refine((text) => DOMAIN.test(text), zodFault('not-a-domain', {})))
    .max(MAX_ADDITIONS)
    .default([]),
  /** Local parts of offices and machines, which are not looked up as persons. */
  roleMailboxes: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]*$/, { error: 'expected what stands before the @, in lower case' }),
    )
    .max(MAX_ADDITIONS)
    .default([]),
});

const backfillSchema = closed({
  /** Size of the random sample that is looked up first: of the whole sample, and at least in each stratum. */
  trial: z.int().positive().default(100),
  trialPerStratum: z.int().positive().default(20),
});

/** The policy of an installation. Every setting except the budgets has a default. */
export const wholePolicySchema = closed({
  /** Stored with every write, so that a value can be explained after a change of the policy. */
  version: z.string().min(1).default('default-1'),
  /** IANA name, for the days and months of budgets. A change of the policy takes effect with the next month. */
  timeZone: z.string().refine(isTimeZone, zodFault('unknown-time-zone', {})).default('UTC'),
  /** In shadow mode values become findings and are not written to HubSpot. `shadow: true` does this for one field. */
  mode: z.enum(['write', 'shadow']).default('write'),
  fields: closed(byObjectType((type) => fieldsSchema(DEFAULT_FIELDS[type]))).prefault({}),
  questions: questionsSchema.prefault({}),
  /** Rules for lookups: which records, with which options, at which price. Without rules, every record is allowed. */
  whom: whomSchema.prefault({}),
  /** Age in days after which a record is stale and an answer is no longer reused. */
  freshness: closed({ contactsDays: days.default(180), companiesDays: days.default(90) }).prefault({}),
  /**
   * Action for a contact without a company, if the answer has a company domain. `existing`: associate the contact if
   * exactly one HubSpot company has this domain. `create`: if none has it, also create the company. `never`: do
   * nothing. A created company is enriched like others.
   */
  associate: z.enum(['existing', 'create', 'never']).default('existing'),
  /**
   * Action for a contact whose address or company belongs to another employer than the answer names. `flag`: report it
   * to a person. `follow`: write the new employer. The address stays, and is marked as outdated.
   */
  jobChange: z.enum(['flag', 'follow']).default('flag'),
  /** Weights of stale records. They are refreshed in the order of their age times the square root of the weight. */
  refresh: closed({
    weights: closed(byObjectType(() => z.array(weightSchema).default([...DEFAULT_WEIGHTS]))).prefault({}),
  }).prefault({}),
  /** Charge for "no match" if it differs from the price list: nothing, the base price, or the price with options. */
  noMatchCost: z.enum(['none', 'base', 'full']).optional(),
  /** Assumed charge for a search without results: nothing, or the price of one result. */
  emptySearchCost: z.enum(['none', 'base']).default('none'),
  /** Days until a question without a match is retried: after the first miss, the second, and so on. */
  noMatchRetryDays: z
    .array(days)
    .min(1)
    .refine(
      (list) => list.every((value, index) => value >= (list[index - 1] ?? 0)),
      zodFault('shrinking-list', {}),
    )
    .default([30, 90, 180]),
  /** Hours after which a request without an answer counts as charged. Without this setting, a person must decide. */
  doubtsChargedAfterHours: z.int().positive().optional(),
  /**
   * Shares of HubSpot's daily requests that stay for the account's other apps, 0 to 1. Bulk work stops before live
   * work.
   */
  hubSpotDailyReserve: closed({ live: share.default(0.02), bulk: share.default(0.1) }).prefault({}),
  /** Days for which the write journal is kept. During this time, writes can be explained and undone. */
  journalDays: days.default(365),
  privacy: z
    .strictObject({
      /**
       * Days for which a disclosure record is kept after the person's last data are removed. The default is three
       * years, because most claims expire after three years.
       */
      keepDisclosures: days.default(1095),
      /** How long obtained values are kept. Without rules, values are kept until a person removes them. */
      retention: retentionSchema.prefault({}),
      /** People who must be informed that their data were obtained, and the time limit. Without rules, no one is listed. */
      notice: noticeRulesSchema.default([]),
    })
    .prefault({}),
  budgets: budgetsSchema,
  /** Permissions on the pages inside HubSpot. The command line has them all. */
  people: peopleSchema.prefault({}),
  addresses: addressesSchema.prefault({}),
  /** Price of a credit. With it, the spend page shows money in addition to credits. */
  creditPrice: creditPriceSchema.optional(),
  /**
   * Limit for test purchases while doubts or charges above the price list stop spending, credits an hour. These credits
   * also count in the budgets. With a low limit, a stop can last longer than its cause.
   */
  testCreditsPerHour: z.int().positive().default(10),
  /** Cost of lookups without a match, one after the other, at which the alarm "Nothing is enriched" is raised at once. */
  missAlarmCredits: z.int().positive().default(20),
  /** Enrichment of records from before the installation. */
  backfill: backfillSchema.prefault({}),
});

/** Refuses a policy that buys data which no field uses. */
const policySchema = wholePolicySchema.superRefine(({ fields, questions, whom }, context) => {
  const writtenRules = (rules: readonly FieldRule[]) => rules.filter(({ write }) => write !== 'never');
  const keys = byObjectType((type) => new Set(writtenRules(fields[type]).map(answerKeyOf)));
  for (const type of OBJECT_TYPES) {
    for (const rule of fields[type]) {
      if (!isAboutPerson({ objectType: type }) && rule.group !== undefined) {
        const path = ['fields', type, rule.property, 'group'];
        context.addIssue({ code: 'custom', path, ...zodFault('group-of-company', {}) });
      }
      const known = recordKeys(type);
      if (known.includes(answerKeyOf(rule))) continue;
      const fault = zodFault('unknown-answer-key', { key: answerKeyOf(rule), known: known.join(', ') });
      context.addIssue({ code: 'custom', path: ['fields', type, rule.property, 'from'], ...fault });
    }
  }
  for (const { path, rule } of purchasesIn({ questions, whom })) {
    for (const option of COMPANY_OPTIONS) {
      if (!rule[option] || adds(option, keys.companies)) continue;
      context.addIssue({ code: 'custom', path: [...path, option], ...zodFault('unused-option', { option }) });
    }
    if (rule.wantPhone && !adds('phone', keys.contacts)) {
      context.addIssue({ code: 'custom', path: [...path, 'wantPhone'], ...zodFault('unused-phones', {}) });
    }
  }
});

type Options = Pick<WhomRule, 'wantPhone' | (typeof COMPANY_OPTIONS)[number]>;

/** Returns all places of the policy that buy options. */
function purchasesIn({ questions, whom }: Pick<z.infer<typeof wholePolicySchema>, 'questions' | 'whom'>): {
  readonly path: readonly PropertyKey[];
  readonly rule: Options;
}[] {
  const { wantPhone, companies } = questions;
  return [
    { path: ['questions'], rule: { wantPhone } },
    { path: ['questions', 'companies'], rule: companies },
    ...OBJECT_TYPES.flatMap((type) =>
      (whom[type] ?? []).map((rule, index) => ({ path: ['whom', type, index], rule })),
    ),
  ];
}

export type Policy = z.infer<typeof policySchema>;
/** The policy as a person writes it, without defaults. */
export type PolicyInput = z.input<typeof policySchema>;

/**
 * Parses a policy and adds the defaults.
 * @throws PolicyError with each key to change
 */
export function parsePolicy(input: unknown): Policy {
  const result = policySchema.safeParse(input);
  if (result.success) return result.data;
  throw new PolicyError(policyFaults(input, result.error.issues));
}
