import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { LEDGER_TABLE } from '#shared/credit-ledger/table.ts';
import { ITEM_TABLE } from '#shared/versioned-items/table.ts';
import { ConfigurationError } from '../configuration.ts';
import { keptName, RECOVERY_DAYS } from '../names.ts';

/** The tables that outlive a stack. */
export type KeptTable = 'ledger' | 'questions';

/** Keys as `describe` has them: name, kind, type. */
const KEYS: Readonly<Record<KeptTable, string>> = {
  questions: `${ITEM_TABLE.partitionKey} HASH S`,
  ledger: `${LEDGER_TABLE.partitionKey} HASH S, ${LEDGER_TABLE.sortKey} RANGE N`,
};

/** The table as it is, or nothing where there is none. */
export async function describeTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table ?? {};
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/**
 * Makes sure that a table which a new stack takes over is what the stack would have made. CloudFormation does not
 * touch it any more, and a creation that was rolled back midway leaves it without what is set after its making.
 * @returns a sentence for each thing that could not be set, where AWS is played by a stand-in that lacks it
 * @throws ConfigurationError where the table is another program's
 */
export async function adoptTable(
  client: DynamoDBClient,
  { stackName, kept }: { readonly stackName: string; readonly kept: KeptTable },
): Promise<readonly string[]> {
  const table = keptName(stackName, kept);
  const description = await describeTable(client, table);
  const keys = keysOf(description);
  if (!description || keys !== KEYS[kept]) {
    throw new ConfigurationError(
      `The table ${table} cannot be adopted: its key is "${keys}", not "${KEYS[kept]}". Rename the stack, or delete the table if nobody needs it.`,
    );
  }
  const problems: (string | undefined)[] = [];
  const attempt = async (what: string, set: () => Promise<void>) => {
    problems.push(await problemOf(`${what} of the table ${table}`, set));
  };
  if (kept === 'questions') await attempt('The expiry', () => letExpire(client, table));
  if (kept === 'ledger') await attempt('Point-in-time recovery', () => makeRestorable(client, table));
  await attempt('Deletion protection', () => protect(client, description));
  return problems.filter((problem) => problem !== undefined);
}

function keysOf({ KeySchema = [], AttributeDefinitions = [] }: TableDescription = {}): string {
  return KeySchema.map(({ AttributeName, KeyType }) => {
    const type = AttributeDefinitions.find((definition) => definition.AttributeName === AttributeName);
    return `${AttributeName} ${KeyType} ${type?.AttributeType}`;
  }).join(', ');
}

async function letExpire(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const { TimeToLiveStatus = 'DISABLED', AttributeName } = TimeToLiveDescription ?? {};
  if (/^ENABL/.test(TimeToLiveStatus) && AttributeName === ITEM_TABLE.timeToLive) return;
  if (/^ENABL/.test(TimeToLiveStatus)) {
    throw new ConfigurationError(
      `The table ${TableName} expires by ${AttributeName}, not by ${ITEM_TABLE.timeToLive}: switch that off and deploy again.`,
    );
  }
  const TimeToLiveSpecification = { Enabled: true, AttributeName: ITEM_TABLE.timeToLive };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function makeRestorable(client: DynamoDBClient, TableName: string): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryDescription } = ContinuousBackupsDescription ?? {};
  if (PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = {
    PointInTimeRecoveryEnabled: true,
    RecoveryPeriodInDays: RECOVERY_DAYS,
  };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
}

/** Last: the table is briefly being updated after it. */
async function protect(
  client: DynamoDBClient,
  { TableName, DeletionProtectionEnabled }: TableDescription,
): Promise<void> {
  if (DeletionProtectionEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
}

/** AWS has all of it; what a stand-in does not know is told, and everything else is an error. */
async function problemOf(what: string, set: () => Promise<void>): Promise<string | undefined> {
  try {
    await set();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && UNKNOWN_OPERATION.test(error.name))) throw error;
    return `${what} could not be set: ${error.name}. On AWS itself this does not happen.`;
  }
}

const UNKNOWN_OPERATION =
  /^(?:UnknownOperation|NotImplemented|InvalidAction|NotImplementedException|UnknownOperationException)$/;
