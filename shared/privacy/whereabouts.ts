import type { Crm } from '#shared/crm';
import type { OwnPortal } from '#shared/records';

export interface LookServices {
  readonly crm: Pick<Crm, 'lookUp' | 'portalId' | 'pausedUntil'>;
  readonly portal: Pick<OwnPortal, 'known'>;
}

/** Sets of contacts by their state in HubSpot. If a contact is in none of the sets, HubSpot gave no clear answer. */
export interface Whereabouts {
  readonly living: ReadonlySet<string>;
  /** Contacts that a person deleted and can still restore. */
  readonly archived: ReadonlySet<string>;
  /** Contacts that HubSpot has neither as living nor as archived records. */
  readonly gone: ReadonlySet<string>;
  /** A contact that HubSpot returned, for the next check. */
  readonly witness: string | undefined;
}

/** Maximum number of contacts in a check. HubSpot accepts 100 ids in a request, and one of them is the witness. */
export const CONTACTS_IN_A_CHECK = 99;

const NONE: ReadonlySet<string> = new Set();

/**
 * Looks up contacts, in at most three requests. A contact counts as gone only if HubSpot itself names it as not found,
 * in both the normal and the archived read. These conditions must also hold:
 * - The access token belongs to our own portal.
 * - The same request returned another contact (the witness), so the token still has access to contacts.
 * - The request for the archive did not return the witness, so it searched only the archive.
 * @param ids at most `CONTACTS_IN_A_CHECK` ids.
 */
export async function findWhereabouts(
  services: LookServices,
  { ids, witness: known }: { readonly ids: readonly string[]; readonly witness: string | undefined },
): Promise<Whereabouts> {
  const { crm } = services;
  const allIds = [...new Set([...ids, ...(known === undefined ? [] : [known])])];
  const { found: living, notFound } = await crm.lookUp({
    objectType: 'contacts',
    ids: allIds,
    archived: false,
  });
  const witness = [...living].at(-1);
  const missing = ids.filter((id) => notFound.has(id));
  const unclear: Whereabouts = { living, archived: NONE, gone: NONE, witness };
  if (missing.length === 0 || witness === undefined || !(await isOwnPortal(services))) return unclear;
  const archive = await crm.lookUp({ objectType: 'contacts', ids: [...missing, witness], archived: true });
  if (!archive.notFound.has(witness)) return unclear;
  return {
    living,
    archived: new Set(missing.filter((id) => archive.found.has(id))),
    gone: new Set(missing.filter((id) => archive.notFound.has(id))),
    witness,
  };
}

/**
 * Whether the access token belongs to our own portal. Also false if the portal is not pinned yet, or the app has no
 * right to read the token's account.
 */
async function isOwnPortal({ crm, portal }: LookServices): Promise<boolean> {
  const own = await portal.known();
  return own !== undefined && own.portalId === (await crm.portalId());
}
