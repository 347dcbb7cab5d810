import {
  DescribeContinuousBackupsCommand,
  type DynamoDBClient,
  InvalidRestoreTimeException,
  PointInTimeRecoveryUnavailableException,
  RestoreTableToPointInTimeCommand,
  TableNotFoundException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ConfigurationError } from '../configuration.ts';
import { RECOVERY_DAYS } from '../tables.ts';

/** Longest wait for a restore by DynamoDB, which can take hours. Seconds. */
const RESTORED_WITHIN_S = 6 * 3_600;

/**
 * Starts to recover a table's state at a given time into a new table.
 * @throws ConfigurationError if this is impossible
 */
export async function recoverTable(
  client: DynamoDBClient,
  { source, target, atMs }: { readonly source: string; readonly target: string; readonly atMs: number },
): Promise<void> {
  const names = { SourceTableName: source, TargetTableName: target };
  try {
    await client.send(new RestoreTableToPointInTimeCommand({ ...names, RestoreDateTime: new Date(atMs) }));
  } catch (error) {
    if (error instanceof TableNotFoundException)
      throw new ConfigurationError(
        `The table ${source} is gone. "Restore a table" in docs/operations/runbook.md says how to restore it from its last backup.`,
      );
    if (error instanceof PointInTimeRecoveryUnavailableException)
      throw new ConfigurationError(`${source} has no point-in-time recovery. Nothing was restored.`);
    if (!(error instanceof InvalidRestoreTimeException)) throw error;
    throw new ConfigurationError(
      `${source} can be recovered as of ${await restorableTimes(client, source)}. Nothing was restored.`,
    );
  }
}

async function restorableTimes(client: DynamoDBClient, TableName: string): Promise<string> {
  const answer = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const { PointInTimeRecoveryDescription: described } = answer.ContinuousBackupsDescription ?? {};
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = described ?? {};
  return `${earliest?.toISOString() ?? '?'} to ${latest?.toISOString() ?? '?'}`;
}

/** Waits until the table exists, and enables the settings that DynamoDB does not restore: protection and backups. */
export async function protectTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await waitUntilTableExists({ client, maxWaitTime: RESTORED_WITHIN_S }, { TableName });
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await waitUntilTableExists({ client, maxWaitTime: RESTORED_WITHIN_S }, { TableName });
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: RECOVERY_DAYS,
      },
    }),
  );
}
