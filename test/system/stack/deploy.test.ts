import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Served } from '../../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';
import { refused, runDeployment } from './run-deployment.ts';

const account = playedAccount();
let served: Served;
beforeAll(async () => {
  served = await serveAccount(account);
});
afterAll(() => served.close());
beforeEach(() => {
  for (const held of [account.stacks, account.outputs, account.owned, account.tables, account.filledTables])
    held.clear();
  account.stacks.set('CDKToolkit', 'CREATE_COMPLETE');
  account.changes.length = 0;
});

const deploy = async () => (await runDeployment('deploy', served.url)).output;

it('deploy names the address at which AWS does not answer', async () => {
  const output = refused('aws-silent', { address: '127.0.0.1:9' });
  expect(await runDeployment('deploy', 'http://127.0.0.1:9')).toEqual({ code: 1, output });
});

describe('deploy changes nothing', () => {
  it.each([
    ['newer-data', { version: '9.9.9', format: 99 }],
    ['older-data', { version: '0.2.0', raised: { 'disclosure record': 2 } }],
  ] as const)('over %s', async (reason, written) => {
    account.stacks.set('crm-enrichment-data', 'UPDATE_COMPLETE');
    account.outputs.set('crm-enrichment-data', { DataFormats: JSON.stringify(written) });
    for (const command of ['deploy', 'diff'] as const) {
      const output = refused(reason, { version: written.version });
      expect(await runDeployment(command, served.url)).toEqual({ code: 1, output });
    }
    expect(account.changes).toEqual([]);
  });

  it('where no stack owns tables that hold data', async () => {
    account.tables.add('crm-enrichment-ledger').add('crm-enrichment-state');
    account.filledTables.add('crm-enrichment-ledger');
    const [tables, stack] = ['crm-enrichment-ledger', 'crm-enrichment-data'];
    expect(await deploy()).toBe(refused('tables-without-stack', { tables, stack }));
    expect(account.changes).toEqual([]);
  });

  it('over half a stack', async () => {
    account.stacks.set('crm-enrichment', 'DELETE_FAILED');
    expect(await deploy()).toBe(refused('half-deleted', { stackName: 'crm-enrichment' }));
    expect(account.changes).toEqual([]);
  });

  it('where a setting names a restored table that is not there', async () => {
    const { output } = await runDeployment('deploy', served.url, '-c', 'ledgerTable=crm-ledger-copy');
    expect([output, account.changes]).toEqual([refused('no-table', { tables: 'crm-ledger-copy' }), []]);
  });

  it('while a stack is being changed', async () => {
    account.stacks.set('crm-enrichment-data', 'CREATE_IN_PROGRESS');
    account.tables.add('crm-enrichment-ledger');
    const params = { stackName: 'crm-enrichment-data', status: 'CREATE_IN_PROGRESS' };
    expect(await deploy()).toBe(refused('stack-in-change', params));
    expect(account.changes).toEqual([]);
  });

  it('before somebody has agreed to bootstrap the account', async () => {
    account.stacks.delete('CDKToolkit');
    account.tables.add('crm-enrichment-ledger');
    expect((await deploy()).endsWith(refused('not-bootstrapped', {}))).toBe(true);
    expect(account.changes).toEqual([]);
  });
});

describe('deploy over what a failed creation left', () => {
  const EMPTY = ['crm-enrichment-ledger', 'crm-enrichment-state'];
  // Ends the deployment before it reaches the CDK, which would take long.
  beforeEach(() => {
    account.parameters.set('/crm-enrichment/installation-secret', 'no document');
  });

  it.each([undefined, 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])(
    'removes the empty tables, where the stack is %s',
    async (status) => {
      if (status !== undefined) account.stacks.set('crm-enrichment-data', status);
      for (const name of EMPTY) account.tables.add(name);
      expect(await deploy()).toContain(EMPTY.join(', '));
      expect(account.tables).toEqual(new Set());
    },
  );

  it('removes an empty table that a failed update has left, and none of the stack', async () => {
    account.stacks.set('crm-enrichment-data', 'UPDATE_ROLLBACK_COMPLETE');
    account.owned.set('crm-enrichment-data', ['crm-enrichment-state']);
    account.outputs.set('crm-enrichment-data', { LastingSettings: '{"webhookAllowV1":false}' });
    for (const name of EMPTY) account.tables.add(name);
    expect(await deploy()).toContain(' crm-enrichment-ledger.\n');
    expect(account.tables).toEqual(new Set(['crm-enrichment-state']));
  });

  it('keeps all of them where it shall take them over', async () => {
    for (const name of EMPTY) account.tables.add(name);
    account.filledTables.add('crm-enrichment-ledger');
    const { output } = await runDeployment('deploy', served.url, '--take-over-tables');
    // It has come as far as the secrets.
    expect(output).toContain(refused('not-a-document', { place: '' }));
    expect(output).toContain('/crm-enrichment/installation-secret');
    expect(account.tables).toEqual(new Set(EMPTY));
  });
});
