import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';
import { dataStackName, tableName, usedTable } from '../names.ts';
import { settleAccess } from './access.ts';
import { type Command, readCommand, runCommand, typed } from './cdk-command.ts';
import { compareTables, type TableComparison, verifyRestoredLedger } from './compare-tables.ts';
import { describeStack } from './deployed-stack.ts';
import { secretPlaces } from './prepare-secrets.ts';
import { protectTable, recoverTable } from './recover-table.ts';
import { tableExists } from './tables-left.ts';
import { askOnce } from './terminal.ts';

const RESTORED = ['ledger', 'suppression'] as const;
type Restored = (typeof RESTORED)[number];

/**
 * Recovers a table's state at a given time into a new table. Protects the new table, compares it with the present
 * one, and explains how to use it. The present table does not change. A repeated run continues with the existing new
 * table.
 */
async function restore(): Promise<void> {
  const command = readCommand(process.argv.slice(2), ['yes'], ['table', 'at']);
  const { table, atMs } = wishOf(command);
  await settleAccess(process.env, askOnce);
  const { settings } = command;
  if (!(await describeStack(dataStackName(settings.stackName))))
    throw new ConfigurationError(`There is no stack ${dataStackName(settings.stackName)}.`);
  const client = new DynamoDBClient(AWS_TIMEOUTS);
  const source = usedTable(settings, table);
  const at = new Date(atMs).toISOString();
  const target = `${tableName(settings.stackName, table)}-${at.replaceAll(/\D/g, '').slice(0, 14)}`;
  if (await describeStack(settings.stackName))
    console.log(
      `The functions of ${settings.stackName} are running. The restored table will not contain their writes from now on. For a real restore run "${typed('destroy', command)}" first, which keeps all tables.`,
    );
  if (await tableExists(client, target)) console.log(`${target} exists already: continuing with it.`);
  else {
    await agree(command, `Recover ${source} as of ${at} into the new table ${target}? Type yes: `);
    await recoverTable(client, { source, target, atMs });
  }
  await protectTable(client, target);
  const compared = await compareTables(client, { source, target });
  const problems = table === 'ledger' ? await verifyRestoredLedger(client, target) : [];
  console.log(restoredLines({ source, target, compared, problems }).join('\n'));
  await sayKey(command, table);
  if (problems.length > 0)
    throw new ConfigurationError('The restored ledger failed its check: choose an earlier time.');
  console.log(nextLines(command, { table, target, at }).join('\n'));
}

function wishOf({ values }: Command): { readonly table: Restored; readonly atMs: number } {
  const table = RESTORED.find((name) => name === values['table']);
  const at = values['at'] ?? '';
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z$/.test(at) ? Date.parse(at) : Number.NaN;
  if (table === undefined || Number.isNaN(atMs))
    throw new ConfigurationError(
      'Give the table and the time in UTC: npm run restore -- --table ledger --at 2026-11-21T02:00:00Z. Tables with backups: ledger, suppression.',
    );
  return { table, atMs };
}

async function agree({ flags }: Command, question: string): Promise<void> {
  if (flags.has('yes') || (await askOnce(question)).trim() === 'yes') return;
  throw new ConfigurationError('Nothing was restored. Add --yes to agree.');
}

function restoredLines(found: {
  readonly source: string;
  readonly target: string;
  readonly compared: TableComparison | undefined;
  readonly problems: readonly string[];
}): readonly string[] {
  const { source, target, compared, problems } = found;
  return [
    ...(compared
      ? [
          `${target} holds ${compared.restored} items. Of the ${compared.present} items of ${source}, ${compared.same} are the same, ${compared.differ} differ and ${compared.notRestored} are not in it. ${compared.onlyRestored} items are only in the restored table.`,
        ]
      : [`${source} is not there to compare with.`]),
    ...problems.map((problem) => `Restored ledger: ${problem}`),
  ];
}

/**
 * Warns if the secret of a restored suppression list is missing. The list works only with the secret that keyed its
 * hashes.
 */
async function sayKey({ settings }: Command, table: Restored): Promise<void> {
  if (table !== 'suppression') return;
  const document = secretPlaces(settings.stackName).installationSecret[settings.secretSource];
  if (await document.exists()) return;
  throw new ConfigurationError(
    `The restored list does not work without ${document.place}, which keyed it. Put the secret back first: see "Restore a table" in docs/operations/runbook.md.`,
  );
}

function nextLines(
  command: Command,
  { table, target, at }: { readonly table: Restored; readonly target: string; readonly at: string },
): readonly string[] {
  const { stackName } = command.settings;
  const setting = `${table}Table=${target}`;
  const later =
    table === 'ledger'
      ? `Book what was charged after ${at}: npm run -s cli -- ledger reconcile --balance ... --stack ${stackName}`
      : `Forget each person again who asked after ${at}: npm run -s cli -- forget ... --stack ${stackName}`;
  return [
    'Next:',
    `  1. Use it: ${typed('deploy', { overrides: [...command.overrides, setting] })}. Write the setting into cdk.json, too.`,
    `  2. npm run -s cli -- ledger verify --stack ${stackName}`,
    `  3. ${later}`,
  ];
}

await runCommand(restore);
