import * as z from 'zod';
import { OBJECT_TYPES, PURPOSES } from '#shared/crm';
import { isTimeZone, UpstreamError } from '#shared/kernel';
import { adds, answerKeyOf, COMPANY_OPTIONS, RECORD_KEYS } from './coverage.ts';
import { DEFAULT_COMPANY_FIELDS, DEFAULT_CONTACT_FIELDS, DEFAULT_WORTH } from './default-fields.ts';
import type { FieldRule } from './field-rule.ts';
import { policyFaults } from './policy-faults.ts';
import { closed, fieldsSchema, propertyName } from './schemas.ts';
import { noticeRulesSchema, retentionSchema, type WhomRule, whomSchema } from './whom/schemas.ts';

/** The questions for a contact, in the default order: cheapest and surest first. */
const CONTACT_QUESTIONS = ['personProfile', 'reverseEmail', 'lookUpPerson', 'reversePhone'] as const;

const credits = z.int().nonnegative();
const days = z.int().positive();
const share = z.number().min(0).max(1);

const contactQuestionsSchema = z
  .array(z.enum(CONTACT_QUESTIONS))
  .min(1)
  .refine((order) => new Set(order).size === order.length, { error: 'each question may be named once' });

const questionsSchema = closed({
  /** Order in which the questions are tried; one that is left out is never asked. */
  contacts: contactQuestionsSchema.default([...CONTACT_QUESTIONS]),
  /** Pay for an email (+2) where the contact has none. */
  wantEmail: z.boolean().default(true),
  /** Pay for a phone (+3) where the contact has none. */
  wantPhone: z.boolean().default(false),
  allowFirstNameAlone: z.boolean().default(false),
  /** After "no match" ask the next question that the record allows, at its own price. */
  fallThrough: z.boolean().default(false),
  companies: closed({
    funding: z.boolean().default(false),
    technology: z.boolean().default(false),
    contacts: z.boolean().default(false),
  }).prefault({}),
});

/** Of the records whose property says so: the first row of the table that fits. */
const worthSchema = closed({
  property: propertyName,
  is: z.string().min(1).optional(),
  above: z.number().optional(),
  /** What it is worth that the record is right, a day; other records are worth 1. */
  w: z.number().min(0).max(1_000).default(1),
  /** What it is worth to learn of a change, once. */
  g: z.number().min(0).max(100_000).default(0),
}).refine(({ is, above }) => (is === undefined) !== (above === undefined), {
  error: 'say for which values it counts: is (a text) or above (a number)',
});

const limitSchema = closed({ perDay: credits.optional(), perMonth: credits.optional() });

const budgetsSchema = closed({
  /** Credits of all purposes together, in a day and in a month of the policy's time zone. */
  perDay: credits.optional(),
  perMonth: credits.optional(),
  purposes: z.partialRecord(z.enum(PURPOSES), limitSchema).default({}),
}).refine((budgets) => budgets.perDay !== undefined || budgets.perMonth !== undefined, {
  path: ['perDay'],
  error: 'set budgets.perDay or budgets.perMonth: nothing is spent without a budget',
});

const backfillSchema = closed({
  /** Records that are looked up first, at random, to learn what the rest will cost; of each kind at least so many. */
  canary: z.int().positive().default(100),
  canaryPerStratum: z.int().positive().default(20),
  /** Shares of the records, 0 to 1: where the match rate surely lies outside, the backfill pauses. */
  matchRate: closed({ atLeast: share.default(0.2), atMost: share.default(1) }).prefault({}),
}).refine(({ matchRate }) => matchRate.atLeast <= matchRate.atMost, {
  path: ['matchRate', 'atLeast'],
  error: 'expected no more than matchRate.atMost',
});

/** The policy of an installation. Everything has a default but the budgets. */
export const wholePolicySchema = closed({
  /** Stored with every write, so that a value explains itself after the policy has changed. */
  version: z.string().min(1).default('default-1'),
  /** IANA name; days and months of budgets are counted in it. A change takes effect with the next month. */
  timeZone: z
    .string()
    .refine(isTimeZone, { error: 'expected an IANA time zone such as Europe/Berlin' })
    .default('UTC'),
  /** In shadow mode nothing is written to HubSpot: it becomes a finding. `shadow: true` does so for one field. */
  mode: z.enum(['write', 'shadow']).default('write'),
  fields: closed({
    contacts: fieldsSchema(DEFAULT_CONTACT_FIELDS),
    companies: fieldsSchema(DEFAULT_COMPANY_FIELDS),
  }).prefault({}),
  questions: questionsSchema.prefault({}),
  /** Which records may be looked up, with which options and at which price. Without rules, every record may be. */
  whom: whomSchema.prefault({}),
  /** Age in days after which a record is stale and an answer is no longer used again. */
  freshness: closed({ contactsDays: days.default(180), companiesDays: days.default(90) }).prefault({}),
  /**
   * What to do for a contact without a company whose answer names one by its domain: associate it with the only company
   * of that domain in HubSpot, create that company where there is none (then enriched like all others), or nothing.
   */
  associate: z.enum(['existing', 'create', 'never']).default('existing'),
  /**
   * Of a contact whose address or company is another employer's than the answer's: keep it for a person to look at, or
   * follow the person, to the new employer; the address stays, and is marked as outdated.
   */
  jobChange: z.enum(['flag', 'follow']).default('flag'),
  /**
   * The order of stale records: the highest worth for a credit first. It combines the probability of a change with these
   * tables.
   */
  refresh: closed({
    worth: closed({
      contacts: z.array(worthSchema).default(DEFAULT_WORTH),
      companies: z.array(worthSchema).default(DEFAULT_WORTH),
    }).prefault({}),
  }).prefault({}),
  /** What the vendor is assumed to charge for "no match": nothing, the base price, or the options too. */
  noMatchCost: z.enum(['none', 'base', 'full']).default('full'),
  /** And for a search without results: nothing, or as much as for one. */
  emptySearchCost: z.enum(['none', 'base']).default('none'),
  /** Days until a question without a match is asked again: after the first miss, the second, ... and so on. */
  noMatchRetryDays: z
    .array(days)
    .min(1)
    .refine((list) => list.every((value, index) => value >= (list[index - 1] ?? 0)), {
      error: 'expected a list that does not shrink, such as [30, 90, 180]',
    })
    .default([30, 90, 180]),
  /** Hours after which a request without an answer counts as charged; without it a person has to say. */
  doubtsChargedAfterHours: z.int().positive().optional(),
  /** Shares of HubSpot's daily requests, 0 to 1, that are left to the account's other apps: bulk work stops first. */
  hubSpotDailyReserve: closed({ live: share.default(0.02), bulk: share.default(0.1) }).prefault({}),
  /** Days for which the journal of writes is kept: as long as they can be explained and undone. */
  journalDays: days.default(365),
  privacy: z
    .strictObject({
      /**
       * Days for which the record of what was obtained about a person is kept after the last data of the person are gone.
       * Three years: as long as most claims can be made.
       */
      keepDisclosures: days.default(1095),
      /** How long obtained values are kept. Without rules they are kept until a person removes them. */
      retention: retentionSchema.prefault({}),
      /** Which people have to be told that their data were obtained, and by when. Without rules, none is listed as due. */
      notice: noticeRulesSchema.default([]),
    })
    .prefault({}),
  budgets: budgetsSchema,
  /**
   * Credits an hour for test purchases while spending is stopped by doubts or by charges above the price list. They also
   * count in the budgets. With less, a stop may last longer than its cause.
   */
  testCreditsPerHour: z.int().positive().default(10),
  /** How records from before the installation are enriched. */
  backfill: backfillSchema.prefault({}),
});

/** Nothing is bought that no field takes anything from. */
const policySchema = wholePolicySchema.superRefine(({ fields, questions, whom }, context) => {
  const written = (rules: readonly FieldRule[]) => rules.filter(({ write }) => write !== 'never');
  const keys = {
    companies: new Set(written(fields.companies).map(answerKeyOf)),
    contacts: new Set(written(fields.contacts).map(answerKeyOf)),
  };
  for (const type of OBJECT_TYPES) {
    for (const rule of fields[type]) {
      if (type === 'companies' && rule.group !== undefined) {
        const path = ['fields', type, rule.property, 'group'];
        context.addIssue({ code: 'custom', path, message: 'only a property of contacts has a group' });
      }
      const known: readonly string[] = RECORD_KEYS[type];
      if (known.includes(answerKeyOf(rule))) continue;
      const message = `no record has "${answerKeyOf(rule)}"; it may begin with ${known.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['fields', type, rule.property, 'from'], message });
    }
  }
  for (const { path, rule } of buyersIn({ questions, whom })) {
    for (const option of COMPANY_OPTIONS) {
      if (!rule[option] || adds(option, keys.companies)) continue;
      const message = `buys ${option} with every company, and no field takes anything from it: add a field whose "from" begins with "${option}/", or leave it out`;
      context.addIssue({ code: 'custom', path: [...path, option], message });
    }
    if (rule.wantPhone && !adds('phone', keys.contacts)) {
      const message = 'buys phones, and no field takes "mobile_number": add one, or leave it out';
      context.addIssue({ code: 'custom', path: [...path, 'wantPhone'], message });
    }
  }
});

type Options = Pick<WhomRule, 'wantPhone' | (typeof COMPANY_OPTIONS)[number]>;

/** Every place of the policy that says which options are bought. */
function buyersIn({ questions, whom }: Pick<z.infer<typeof wholePolicySchema>, 'questions' | 'whom'>): {
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
/** What a person writes: the policy before defaults. */
export type PolicyInput = z.input<typeof policySchema>;

/**
 * The policy with its defaults filled in.
 * @throws UpstreamError `POLICY_INVALID`; its message names each key to change.
 */
export function parsePolicy(input: unknown): Policy {
  const result = policySchema.safeParse(input);
  if (result.success) return result.data;
  const problems = policyFaults(input, result.error.issues);
  throw new UpstreamError({
    code: 'POLICY_INVALID',
    message: `The policy cannot be used. Change ${problems.join('; ')}.`,
    retryable: false,
  });
}
