import { describe, expect, it } from 'vitest';
import { findWhereabouts } from '#inside/privacy/forget-record.ts';
import type { IdLookup } from '#shared/hubspot';

interface Account {
  readonly living?: readonly string[];
  readonly archived?: readonly string[];
  /** Neither found nor named as not found. */
  readonly silent?: readonly string[];
  readonly portalId?: string | undefined;
  readonly pinned?: string | undefined;
  /** Whether a look into the archive looks there. */
  readonly hasArchive?: boolean;
}

async function look(
  account: Account,
  { ids = ['1', '2'], witness }: { ids?: string[]; witness?: string } = {},
) {
  const { living = [], archived = [], silent = [], hasArchive = true } = account;
  let requests = 0;
  const lookUp = async ({
    ids,
    archived: isArchive,
  }: {
    ids: readonly string[];
    archived: boolean;
  }): Promise<IdLookup> => {
    requests += 1;
    const there = isArchive && hasArchive ? archived : living;
    const found = new Set(ids.filter((id) => there.includes(id)));
    return { found, notFound: new Set(ids.filter((id) => !found.has(id) && !silent.includes(id))) };
  };
  const portalId = async () => ('portalId' in account ? account.portalId : '7');
  const pinned = 'pinned' in account ? account.pinned : '7';
  const services = {
    crm: { lookUp, portalId, pausedUntil: async () => undefined },
    portal: {
      known: async () => (pinned === undefined ? undefined : { portalId: pinned, by: 'pin' as const }),
    },
  };
  const where = await findWhereabouts(services, { ids, witness });
  return { gone: [...where.gone], archived: [...where.archived], witness: where.witness, requests };
}

describe('a contact is gone for good', () => {
  it('when HubSpot has it neither among the living nor in the archive, and returns another one', async () => {
    expect(await look({ living: ['2'] })).toEqual({ gone: ['1'], archived: [], witness: '2', requests: 2 });
  });

  it('when all contacts of the request are gone, but an earlier witness is returned', async () => {
    expect(await look({ living: ['9'] }, { witness: '9' })).toMatchObject({ gone: ['1', '2'], witness: '9' });
  });

  it.each<[string, Account]>([
    ['it is in the archive', { living: ['2'], archived: ['1'] }],
    ['HubSpot says nothing of it', { living: ['2'], silent: ['1'] }],
    ['no other contact is returned', {}],
    ['the token belongs to another portal', { living: ['2'], portalId: '8' }],
    ['the app may not read whose token it has', { living: ['2'], portalId: undefined }],
    ['no portal is pinned', { living: ['2'], pinned: undefined }],
    ['the archive was not looked into', { living: ['2'], hasArchive: false }],
  ])('but not when %s', async (_, account) => {
    expect((await look(account)).gone).toEqual([]);
  });

  it('costs one request where every contact is returned', async () => {
    expect((await look({ living: ['1', '2'] })).requests).toBe(1);
  });
});
