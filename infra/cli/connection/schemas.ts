import * as z from 'zod';

const text = z.string().min(1);

/** The outputs of a deployed stack that the commands need; its template promises their names. */
export const stackOutputsSchema = z.object({
  WebhookUrl: z.url(),
  RecordsTable: text,
  QuestionsTable: text,
  LedgerTable: text,
  RateLimiterTable: text,
  UrgentQueueUrl: text,
  LiveQueueUrl: text,
  BulkQueueUrl: text,
  UrgentDeadLettersUrl: text,
  LiveDeadLettersUrl: text,
  BulkDeadLettersUrl: text,
  SecretSource: z.enum(['secrets-manager', 'ssm']),
  SecretId: text,
  DataServiceBaseUrl: z.url(),
  /** Another address for HubSpot's API, for tests. */
  HubSpotBaseUrl: z.url().optional(),
  /** Of the HubSpot app, where the installation was told of it. */
  HubSpotAppId: z.string().regex(/^\d+$/).optional(),
  /** The account that it works for, where the operator says so. */
  HubSpotPortalId: z.string().regex(/^\d+$/).optional(),
  /** JSON. */
  Policy: z.string().min(2),
});

export type StackOutputs = z.infer<typeof stackOutputsSchema>;

/** A parameter of the stack, kept from its first deployment on. */
export const installedAtSchema = z.iso.datetime();
