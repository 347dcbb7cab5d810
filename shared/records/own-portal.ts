import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import type { PinnedPortal } from './schemas.ts';
import { type StatusItems, statusKind } from './stored-kinds.ts';

interface KnownPortal extends PinnedPortal {
  readonly by: 'pin' | 'setting';
}

interface OwnPortalServices {
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

interface IndexLagServices {
  readonly status: StatusItems;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/**
 * Looks for the last written marker in the index. If the index does not show the marker yet, its age is the lag. If the
 * index shows it, a new marker is written for the next measurement. Until the index shows the new one, the lag of the
 * marker before counts, so that a constant lag is measured as constant.
 * @returns the lag of the index, in milliseconds.
 */
export async function measureIndexLag({ status, clock }: IndexLagServices): Promise<number> {
  const item = { key: statusKind.key('marker'), kind: 'marker of the index', clock };
  const shownAtMs = await shownMarker(status);
  const { lagMs } = await change(status, item, (known) => {
    const nowMs = clock.now();
    const written = known?.marker;
    if (written && written.atMs !== shownAtMs) {
      const missingMs = nowMs - written.atMs;
      return {
        lagMs: Math.max(missingMs, written.lagBeforeMs),
        value: { marker: { ...written, missingMs } },
      };
    }
    const lagBeforeMs = written?.missingMs ?? 0;
    return { lagMs: lagBeforeMs, value: { marker: { atMs: nowMs, missingMs: 0, lagBeforeMs } } };
  });
  return lagMs;
}

/** Returns the time of the marker, if the index shows it at its place. A listed item is read again, so its place decides. */
async function shownMarker(status: StatusItems): Promise<number | undefined> {
  const atMs = (await status.read(statusKind.key('marker')))?.value.marker?.atMs;
  if (atMs === undefined) return undefined;
  const place = { partition: statusKind.partition('index-marker'), from: atMs, upTo: atMs };
  return (await status.list(place)).length > 0 ? atMs : undefined;
}
