import * as z from 'zod';

/** What outlives `destroy`: what was paid for, its books, and the secret under which it is found again. */
export const KEPT = ['ledger', 'questions', 'secret'] as const;
export type Kept = (typeof KEPT)[number];

/** What CloudWatch Logs takes; a day count in between is refused at deployment. */
const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653];

const address = z.url({ protocol: /^https?$/, error: 'must be an address that starts with https://' });
const schedule = z.string().regex(/^(?:rate\(\d+ (?:minutes?|hours?|days?)\)|cron\(\S+(?: \S+){5}\))$/, {
  error: 'must be like rate(5 minutes) or cron(0 3 * * ? *)',
});
/** Lambda refuses a maximum concurrency of 1. */
const concurrency = z.coerce
  .number({ error: 'must be a whole number from 2 to 1000' })
  .int({ error: 'must be a whole number from 2 to 1000' })
  .min(2, { error: 'must be a whole number from 2 to 1000' })
  .max(1000, { error: 'must be a whole number from 2 to 1000' });

/**
 * The settings of an installation, as they stand in the context of `cdk.json`. Each may also be given on the
 * command line, as text: `-c liveConcurrency=4`.
 */
export const settingsSchema = z.strictObject({
  /** Names the stack, and what outlives it. */
  stackName: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, {
    error: 'must be letters, digits and hyphens, start with a letter, and have at most 40 characters',
  }),
  /** A TypeScript file whose default export is a `PolicyInput`. */
  policy: z.string().regex(/\.ts$/, { error: 'must be the path of a TypeScript file' }),
  dataServiceBaseUrl: address,
  /** Another address for HubSpot's API, for tests. */
  hubSpotBaseUrl: address.optional(),
  /** Events of other apps are refused when it is given. */
  hubSpotAppId: z.coerce.string().regex(/^\d+$/, { error: 'must be the digits of the app id' }).optional(),
  /** The webhook's target URL exactly as HubSpot has it; by default the API's own address and `/hubspot`. */
  publicUrl: address.optional(),
  secretSource: z.enum(['secrets-manager', 'ssm'], { error: 'must be secrets-manager or ssm' }),
  /** How often what was left open is finished and what no webhook told of is found. */
  reconcileSchedule: schedule,
  /** How often stale records are chosen, within what is left of the refresh budget. */
  refreshSchedule: schedule,
  /** Most invocations of the worker at once, by lane. */
  liveConcurrency: concurrency,
  bulkConcurrency: concurrency,
  logRetentionDays: z.coerce
    .number({ error: 'must be a number of days' })
    .refine((days) => RETENTION_DAYS.includes(days), {
      error: `must be one of ${RETENTION_DAYS.join(', ')}`,
    }),
  /** Is told of every alarm, after it has confirmed the subscription. */
  alarmEmail: z.email({ error: 'must be an email address' }).optional(),
  /** Set by `deploy`: what an earlier stack of this name left behind, as a list with commas. */
  adopt: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((name) => name !== ''))
    .pipe(z.array(z.enum(KEPT, { error: `must be a list of ${KEPT.join(', ')}` }))),
});

export type Settings = z.infer<typeof settingsSchema>;
