import * as z from 'zod';

/** Retention periods that CloudWatch Logs accepts. It refuses all other numbers of days. */
const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653];

const address = z.url({ protocol: /^https?$/, error: 'must be an address that starts with https://' });
/**
 * Interval of the sweep. At most 15 minutes, because alarms evaluate the gauges of each run in periods of 15 minutes,
 * and each run finishes open work.
 */
const reconcileSchedule = z.string().refine((text) => minutesOf(text) >= 1 && minutesOf(text) <= 15, {
  error: 'must be a rate of 1 to 15 minutes, like rate(5 minutes): alarms evaluate the gauges of each run',
});
const refreshSchedule = z.string().refine(isSaneRefresh, {
  error: 'must be a rate of 1 hour to 7 days, like rate(1 hour), or like cron(0 3 * * ? *)',
});
const CONCURRENCY_ERROR = {
  error: "must be a whole number from 2 to 10: more workers only wait for each other at the vendor's rate",
};
const concurrency = z.coerce
  .number(CONCURRENCY_ERROR)
  .int(CONCURRENCY_ERROR)
  .min(2, CONCURRENCY_ERROR)
  .max(10, CONCURRENCY_ERROR);

const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: 'must be true or false',
});
const RATE_ERROR = {
  error: "must be a whole number from 1 to 1000: the requests a minute that the data service's plan allows",
};

const restoredTable = z.string().regex(/^[\w.-]{3,255}$/, { error: 'must be the name of a DynamoDB table' });
const TAGS_ERROR = 'must be tags like team=sales,env=prod';
const tagList = z
  .string()
  .regex(/^[^=,]+=[^=,]*(?:,[^=,]+=[^=,]*)*$/, { error: TAGS_ERROR })
  .transform(
    (text): Record<string, string> =>
      Object.fromEntries(
        text.split(',').map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
      ),
  );

/**
 * The settings of an installation in the context of `cdk.json`. Each setting can also be given on the command line,
 * as text: `-c liveConcurrency=4`.
 */
export const settingsSchema = z.strictObject({
  /**
   * Names the installation, its two stacks, and all named resources in them. SSM reserves names that begin with aws or
   * ssm. A name with -data at its end is that of the tables' stack.
   */
  stackName: z.string().regex(/^(?!aws|ssm)[a-z][a-z0-9-]{0,39}(?<!-data)$/i, {
    error:
      'must begin with a letter, not aws or ssm; have at most 40 letters, digits, hyphens; not end with -data',
  }),
  /** A TypeScript file whose default export is a `PolicyInput`. */
  policy: z.string().regex(/\.ts$/, { error: 'must be the path of a TypeScript file' }),
  dataServiceBaseUrl: address,
  hubSpotBaseUrl: address.optional(),
  /**
   * Id of the HubSpot app. It distinguishes our own writes from those of other apps, in webhooks and in HubSpot's
   * history.
   */
  hubSpotAppId: z.coerce.string().regex(/^\d+$/, { error: 'must be the digits of the app id' }).optional(),
  /**
   * The only HubSpot account whose webhooks are accepted. By default, the account of the access token at the first
   * start.
   */
  hubSpotPortalId: z.coerce
    .string()
    .regex(/^\d+$/, { error: 'must be the digits of the account id' })
    .optional(),
  /** Whether webhooks with a version 1 signature are accepted. Legacy private apps send only this version. */
  webhookAllowV1: yesOrNo.default(false),
  /**
   * The webhook's target URL, exactly as configured in HubSpot. By default, the API's own address followed by
   * `/hubspot`.
   */
  publicUrl: address.optional(),
  /** Interval of the sweep, which finishes open work and finds records without a webhook. */
  reconcileSchedule,
  /** Interval at which stale records are chosen for a refresh, within the refresh budget that is left. */
  refreshSchedule,
  /** Requests a minute of the data service's plan. It determines the size of batches and the number of workers. */
  requestsPerMinute: z.coerce
    .number(RATE_ERROR)
    .int(RATE_ERROR)
    .min(1, RATE_ERROR)
    .max(1_000, RATE_ERROR)
    .default(20),
  /** Maximum concurrent invocations of the worker, by lane. By default, derived from `requestsPerMinute`. */
  liveConcurrency: concurrency.optional(),
  bulkConcurrency: concurrency.optional(),
  tracing: yesOrNo.default(false),
  logRetentionDays: z.coerce
    .number({ error: 'must be a number of days' })
    .refine((days) => RETENTION_DAYS.includes(days), {
      error: `must be one of ${RETENTION_DAYS.join(', ')}`,
    }),
  /** A restored table that replaces the stack's own: see docs/operations/runbook.md, "Restore a table". */
  ledgerTable: restoredTable.optional(),
  proofTable: restoredTable.optional(),
  /** Tags of both stacks and their resources: `{"team": "sales"}`, or `team=sales,env=prod` on the command line. */
  tags: z.union([z.record(z.string(), z.string()), tagList], { error: TAGS_ERROR }).optional(),
  /** A policy that limits every role of the functions and schedules. */
  permissionsBoundaryArn: z
    .string()
    .regex(/^arn:[\w-]+:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/, {
      error: 'must be the ARN of an IAM policy',
    })
    .optional(),
  /** Your own key for tables and secrets, in place of the AWS keys. */
  kmsKeyArn: z
    .string()
    .regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, { error: 'must be the ARN of a KMS key' })
    .optional(),
  /** Email address for all alarms. It gets none before its subscription is confirmed. */
  alarmEmail: z.email({ error: 'must be an email address' }).optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

const MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };

/** Minutes of a rate in EventBridge Scheduler's format; `NaN` for any other text. */
function minutesOf(schedule: string): number {
  const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? [];
  return Number(count || Number.NaN) * (MINUTES[unit] ?? Number.NaN);
}

function isSaneRefresh(schedule: string): boolean {
  const minutes = minutesOf(schedule);
  return /^cron\(\S+(?: \S+){5}\)$/.test(schedule) || (minutes >= 60 && minutes <= 7 * 1_440);
}
