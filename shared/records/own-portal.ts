import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { PinnedPortal } from './schemas.ts';
import { pinnedPortalKind } from './stored-kinds.ts';

export interface KnownPortal extends PinnedPortal {
  readonly by: 'pin' | 'setting';
}

export interface OwnPortalServices {
  readonly items: VersionedItems<PinnedPortal>;
  /** Portal id that the operator set. If it is set, nothing is looked up or pinned. */
  readonly configured?: string | undefined;
  /** Returns the access token's account. @throws UpstreamError while HubSpot does not report it. */
  readonly account: () => Promise<PinnedPortal>;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface OwnPortal {
  /** Returns `undefined` before the first start. Writes nothing. */
  known(): Promise<KnownPortal | undefined>;
  /**
   * Looks the account up and pins it if it is unknown. @throws UpstreamError if it is unknown and HubSpot does not
   * report it.
   */
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
      // If two processes look it up at once, both use the first stored id.
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

/** Explains why work must stop with this account's token, and what to do; `undefined` if the account is ours. */
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
