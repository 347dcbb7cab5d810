import * as z from 'zod';

const text = z.string().min(1);

/** The outputs of a deployed stack that the commands need. The stack's template defines their names. */
export const stackOutputsSchema = z.object({
  WebhookUrl: z.url(),
  LedgerTable: text,
  ProofTable: text,
  StateTable: text,
  UrgentQueueUrl: text,
  LiveQueueUrl: text,
  BulkQueueUrl: text,
  UrgentDeadLettersUrl: text,
  LiveDeadLettersUrl: text,
  BulkDeadLettersUrl: text,
  SecretPrefix: text,
  AlarmTopic: text,
  InstalledAt: z.iso.datetime(),
  DataServiceBaseUrl: z.url(),
  /** Address that replaces HubSpot's API, for tests. */
  HubSpotBaseUrl: z.url().optional(),
  /** Id of the HubSpot app, if the deployment set it. */
  HubSpotAppId: z.string().regex(/^\d+$/).optional(),
  /** The HubSpot account, if the operator set it. */
  HubSpotPortalId: z.string().regex(/^\d+$/).optional(),
});

export type StackOutputs = z.infer<typeof stackOutputsSchema>;

export const templateSchema = z.object({ Metadata: z.object({ Policy: z.string().min(2) }) });

/** The fields of a statement's JSON that name its entries. All other fields are computed again and compared. */
export const statementHeadSchema = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  soFar: z.string().optional(),
  before: z.object({ seq: z.int() }).optional(),
  last: z.object({ seq: z.int() }).optional(),
});
