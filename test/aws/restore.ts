import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type Checklist, holds, same } from './checklist.ts';
import { startRecorder } from './recorder.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';
import { contactIsEnriched, ledgerEqualsBill } from './webhooks.ts';

/** @returns the settings of the installation after the restore */
export async function checkRestore(
  checklist: Checklist,
  scene: Scene,
): Promise<Readonly<Record<string, string>>> {
  const { stack, workshop } = scene;
  await checklist.check('there is something in the books to restore', async () => {
    await contactIsEnriched(scene, 9);
    return ledgerEqualsBill(scene);
  });
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  const ledgerTable = `${STACK}-ledger-${at.replaceAll(/\D/g, '')}`;
  const dynamo = new DynamoDBClient();
  const count = async (TableName: string) => (await dynamo.send(new ScanCommand({ TableName }))).Count;
  await checklist.check(
    'restore recovers the ledger into a new table, protects and compares it (not played: an earlier time)',
    async () => {
      const flags = ['--table', 'ledger', '--at', at];
      const unasked = await stack.attempt('restore', { flags });
      holds(/Nothing was restored\. Add --yes to agree/.test(unasked.output), unasked.output);
      const { code, output } = await stack.attempt('restore', { flags: [...flags, '--yes'] });
      holds(code === 0, output.trim().slice(-2_000));
      const entries = comparedIn(output);
      holds(output.includes(`-c ledgerTable=${ledgerTable}`), 'It does not say how to use it.');
      const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: ledgerTable }));
      same('The entries of the restored table', await count(ledgerTable), entries);
      same('Its protection', Table?.DeletionProtectionEnabled, true);
      const backups = await dynamo.send(new DescribeContinuousBackupsCommand({ TableName: ledgerTable }));
      const { PointInTimeRecoveryDescription } = backups.ContinuousBackupsDescription ?? {};
      same('Its backups', PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus, 'ENABLED');
      const recorder = await startRecorder(Number(workshop.env['GATEWAY_PORT']));
      const secrets = { AWS_ENDPOINT_URL: recorder.url };
      const again = await stack.attempt('restore', { flags: [...flags, '--yes'], secrets });
      recorder.close();
      holds(again.code === 0, again.output.trim().slice(-2_000));
      same('The entries that the second run compares', comparedIn(again.output), entries);
      const called = new Set(recorder.calls.map(({ action }) => action));
      holds(called.has('dynamodb:Scan'), 'The second run compares nothing.');
      holds(!called.has('dynamodb:RestoreTableToPointInTime'), 'The second run restores again.');
      return `${entries} entries`;
    },
  );
  await checklist.check(
    'a deployment that names it goes on in the restored books, and in no others',
    async () => {
      const old = await count(`${STACK}-ledger`);
      await stack.deploy({ ledgerTable });
      same('The table', await stack.output('LedgerTable'), ledgerTable);
      await ledgerEqualsBill(scene);
      await contactIsEnriched(scene, 12);
      same('The entries of the old table', await count(`${STACK}-ledger`), old);
      return ledgerEqualsBill(scene);
    },
  );
  await checklist.check('and one that forgets it is refused', async () => {
    const { code, output } = await stack.attempt('deploy');
    same('Its end', code, 1);
    holds(output.includes(`ledgerTable: ${ledgerTable} in the stack, not set now`), output);
  });
  return { ledgerTable };
}

/**
 * Reads the comparison. The functions are running, so the present ledger may hold newer entries. Entries never change:
 * each restored one must be the same in both tables.
 * @returns the number of entries of the restored table
 */
function comparedIn(output: string): number {
  const wanted =
    /-ledger-\d{14} holds (\d+) items\. Of the \d+ items of \S+-ledger, (\d+) are the same, 0 differ and \d+ are not in it\. 0 items are only in the restored table\./;
  const [, restored, equal] = wanted.exec(output) ?? [];
  holds(restored !== undefined && restored === equal && Number(restored) > 0, output);
  return Number(restored);
}
