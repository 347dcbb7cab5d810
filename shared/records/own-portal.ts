import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { PinnedPortal } from './schemas.ts';
import { pinnedPortalKind } from './stored-kinds.ts';

export interface KnownPortal extends PinnedPortal {
  readonly by: 'pin' | 'setting';
}

export interface OwnPortalServices {
  readonly items: VersionedItems<PinnedPortal>;
  /** The operator's word: where it is given, nothing is learned, and what is pinned stays as it is. */
  readonly configured?: string | undefined;
  /** Whose access token this is. @throws UpstreamError while HubSpot does not tell. */
  readonly account: () => Promise<PinnedPortal>;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface OwnPortal {
  /** Nothing before the first start. Writes nothing. */
  known(): Promise<KnownPortal | undefined>;
  /** Learned and pinned where it was not known. @throws UpstreamError while it is not known and HubSpot does not tell. */
  learn(): Promise<KnownPortal>;
}

export function createOwnPortal({ items, configured, account, clock }: OwnPortalServices): OwnPortal {
  let found: KnownPortal | undefined =
    configured === undefined ? undefined : { portalId: configured, by: 'setting' };
  const known = async () => {
    if (found) return found;
    const stored = await items.read(pinnedPortalKind.key());
    if (stored) found = { portalId: stored.value.portalId, by: 'pin' };
    return found;
  };
  return {
    known,
    learn: async () => {
      if (found) return found;
      // Of two that learn it in the same moment the first one is believed by both.
      const { pinned } = await change(
        items,
        { key: pinnedPortalKind.key(), kind: 'pinned portal', clock },
        async (stored) => {
          if (stored) return { pinned: stored };
          const { portalId } = await account();
          return { pinned: { portalId }, value: { portalId } };
        },
      );
      found = { portalId: pinned.portalId, by: 'pin' };
      return found;
    },
  };
}

/** Why work may not go on with the token of this account, and what to do; nothing where it is our own. */
export function accountMismatch(
  { portalId, by }: KnownPortal,
  account: PinnedPortal,
): { readonly seen: string; readonly advice: string } | undefined {
  if (portalId === account.portalId) return undefined;
  const why = by === 'pin' ? 'set at its first start' : `as ${SETTING} says`;
  return {
    seen: `This installation works for HubSpot portal ${portalId}, ${why}, but the access token belongs to portal ${account.portalId}`,
    advice: `use a token of portal ${portalId}, or set ${SETTING} to ${account.portalId} if it is to work for that portal from now on`,
  };
}

const SETTING = 'hubSpotPortalId (on a laptop HUBSPOT_PORTAL_ID)';
