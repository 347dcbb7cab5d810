import type { VersionedItems } from '../versioned-items/store.ts';

/** The HubSpot account whose records are kept here, as it was learned from the access token at the first start. */
export interface PinnedPortal {
  readonly portalId: string;
}

export interface KnownPortal extends PinnedPortal {
  readonly by: 'pin' | 'setting';
}

export interface OwnPortalDeps {
  readonly items: VersionedItems<PinnedPortal>;
  /** The operator's word: where it is given, nothing is learned, and what is pinned stays as it is. */
  readonly configured?: string | undefined;
  /** Whose access token this is. @throws OutsideError while HubSpot does not tell. */
  readonly account: () => Promise<{ readonly portalId: string }>;
}

export interface OwnPortal {
  /** Nothing before the first start. Writes nothing. */
  known(): Promise<KnownPortal | undefined>;
  /** Learned and pinned where it was not known. @throws OutsideError while it is not known and HubSpot does not tell. */
  learn(): Promise<KnownPortal>;
}

const KEY = 'own-portal';

export function createOwnPortal({ items, configured, account }: OwnPortalDeps): OwnPortal {
  let found: KnownPortal | undefined =
    configured === undefined ? undefined : { portalId: configured, by: 'setting' };
  const known = async () => {
    if (found) return found;
    const stored = await items.read(KEY);
    if (stored) found = { portalId: stored.value.portalId, by: 'pin' };
    return found;
  };
  return {
    known,
    learn: async () => {
      for (;;) {
        const own = await known();
        if (own) return own;
        const { portalId } = await account();
        // Of two that learn it in the same moment the first one is believed by both, so what is there is read.
        await items.write({ key: KEY, value: { portalId }, expectedVersion: 0 });
      }
    },
  };
}

/** Why work may not go on with the token of this account, and what to do; nothing where it is our own. */
export function accountMismatch(
  { portalId, by }: KnownPortal,
  account: PinnedPortal,
): { readonly seen: string; readonly advice: string } | undefined {
  if (portalId === account.portalId) return undefined;
  const why = by === 'pin' ? 'pinned at its first start' : `as ${SETTING} says`;
  return {
    seen: `This installation works for HubSpot portal ${portalId}, ${why}, but the access token belongs to portal ${account.portalId}`,
    advice: `use a token of portal ${portalId}, or set ${SETTING} to ${account.portalId} if it is to work for that portal from now on`,
  };
}

const SETTING = 'hubSpotPortalId (on a laptop HUBSPOT_PORTAL_ID)';
