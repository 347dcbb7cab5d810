import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import type { PinnedPortal } from './schemas.ts';
import { type StatusItems, statusKind } from './stored-kinds.ts';

export interface KnownPortal extends PinnedPortal {
  readonly by: 'pin' | 'setting';
}

export interface OwnPortalServices {
  readonly status: Pick<StatusItems, 'read' | 'write'>;
  /** Portal id that the operator set. If present, the account is not looked up and not pinned. */
  readonly configured?: string | undefined;
  /**
   * Returns the access token's account.
   * @throws UpstreamError while HubSpot does not report it.
   */
  readonly account: () => Promise<PinnedPortal>;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface OwnPortal {
  /** Returns the portal; `undefined` before the first start. Writes nothing. */
  known(): Promise<KnownPortal | undefined>;
  /**
   * Returns the portal. If it is unknown, looks up the account and pins it.
   * @throws UpstreamError if HubSpot does not report an unknown account.
   */
  learn(): Promise<KnownPortal>;
}

export function createOwnPortal({ status, configured, account, clock }: OwnPortalServices): OwnPortal {
  let portal: KnownPortal | undefined =
    configured === undefined ? undefined : { portalId: configured, by: 'setting' };
  const key = statusKind.key('portal');
  const known = async () => {
    if (portal) return portal;
    const pinned = (await status.read(key))?.value.portal;
    if (pinned) portal = { portalId: pinned.portalId, by: 'pin' };
    return portal;
  };
  return {
    known,
    learn: async () => {
      if (portal) return portal;
      // If two processes look up the account at the same time, both use the id that was stored first.
      const { pinned } = await change(status, { key, kind: 'pinned portal', clock }, async (stored) => {
        if (stored?.portal) return { pinned: stored.portal };
        const { portalId } = await account();
        return { pinned: { portalId }, value: { portal: { portalId } } };
      });
      portal = { portalId: pinned.portalId, by: 'pin' };
      return portal;
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
    advice: `use a token of portal ${portalId}, or set ${SETTING} to ${account.portalId} if it is to work for that portal`,
  };
}

const SETTING = 'hubSpotPortalId (on a laptop HUBSPOT_PORTAL_ID)';
