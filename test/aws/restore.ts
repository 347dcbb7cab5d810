import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type Checklist, holds, same } from './checklist.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';
import { contactIsEnriched, ledgerEqualsBill } from './webhooks.ts';

/** @returns the settings with which the installation works from then on */
export async function checkRestore(
  checklist: Checklist,
  scene: Scene,
): Promise<Readonly<Record<string, string>>> {
  const { stack } = scene;
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
      const entries = await count(`${STACK}-ledger`);
      const seen = `${ledgerTable} holds ${entries} items. Of the ${entries} items of ${STACK}-ledger, ${entries} are the same, 0 differ and 0 are not in it.`;
      holds(output.includes(seen), output);
      holds(output.includes(`-c ledgerTable=${ledgerTable}`), 'It does not say how to use it.');
      const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: ledgerTable }));
      same('Its protection', Table?.DeletionProtectionEnabled, true);
      const backups = await dynamo.send(new DescribeContinuousBackupsCommand({ TableName: ledgerTable }));
      const { PointInTimeRecoveryDescription } = backups.ContinuousBackupsDescription ?? {};
      same('Its backups', PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus, 'ENABLED');
      const again = await stack.attempt('restore', { flags: [...flags, '--yes'] });
      holds(/exists already: continuing with it\./.test(again.output), again.output);
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
