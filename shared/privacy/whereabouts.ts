import type { Crm } from '#shared/crm';
import type { OwnPortal } from '#shared/records';

export interface LookServices {
  readonly crm: Pick<Crm, 'lookUp' | 'portalId' | 'pausedUntil'>;
  readonly portal: Pick<OwnPortal, 'known'>;
}

/** Sets of contacts by their state in HubSpot. For a contact in none of the sets, HubSpot gave no clear answer. */
export interface Whereabouts {
  readonly living: ReadonlySet<string>;
  /** Deleted by a person, and still restorable. */
  readonly archived: ReadonlySet<string>;
  /** Neither present nor archived in HubSpot. */
  readonly gone: ReadonlySet<string>;
  /** A contact that HubSpot returned. */
  readonly witness: string | undefined;
}

/** HubSpot takes 100 ids in a request; one of them is the witness. */
export const CONTACTS_IN_A_CHECK = 99;

const NONE: ReadonlySet<string> = new Set();

/**
 * Looks contacts up in at most three requests. A contact counts as gone only if HubSpot itself names it as not found,
 * in both the normal and the archived read. All of these must hold too:
 * - The access token belongs to our own portal.
 * - The same request returned another contact: the token still sees contacts.
 * - The request for the archive did not return that living contact: it did look into the archive.
 * @param ids at most `CONTACTS_IN_A_LOOK`.
 */
export async function findWhereabouts(
  services: LookServices,
  { ids, witness: known }: { readonly ids: readonly string[]; readonly witness: string | undefined },
): Promise<Whereabouts> {
  const { crm } = services;
  const asked = [...new Set([...ids, ...(known === undefined ? [] : [known])])];
  const { found: living, notFound } = await crm.lookUp({
    objectType: 'contacts',
    ids: asked,
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
 * Whether the access token belongs to our own portal. Also false if the portal is not pinned yet, or the app may not
 * read the token's account.
 */
async function isOwnPortal({ crm, portal }: LookServices): Promise<boolean> {
  const own = await portal.known();
  return own !== undefined && own.portalId === (await crm.portalId());
}
