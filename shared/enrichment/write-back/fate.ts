import type { CrmVersion } from '#shared/crm';
import type { Normalise } from '#shared/field-policy';
import type { Change } from '#shared/records';
import { matchesWrite } from './arrived.ts';

/** Result of a write that timed out, by HubSpot's history of the property. */
export type Fate =
  /**
   * The write is not there, but another value of ours may be. It may still arrive during the lifetime of the request.
   */
  | {
      readonly kind: 'absent';
      readonly ours?: string | undefined;
      /** The value that a person wrote since our read, below our own value. */
      readonly lost?: string | undefined;
    }
  /** The write is the newest value, and replaced the value that we had read. */
  | { readonly kind: 'arrived'; readonly value: string }
  /** The write is the newest value, and replaced a value that was written after our read. */
  | { readonly kind: 'overwrote'; readonly value: string; readonly lost: string }
  /** A person wrote after it: the value, or the blank, is the person's. */
  | { readonly kind: 'overtaken'; readonly value: string };

interface Witness {
  /** Newest first. */
  readonly versions: readonly CrmVersion[];
  /** Without it, every integration that wrote the same value counts as ours. */
  readonly ownAppId: string | undefined;
  readonly normalise: Normalise;
}

/** Judges a write by the order of versions and by HubSpot's clock, because our clock may differ. */
export function fateOf(change: Change, { versions, ownAppId, normalise }: Witness): Fate {
  const isThisWrite = (version: CrmVersion) =>
    isOurs(version, ownAppId) && matchesWrite(change, version.value, normalise);
  const [newest] = versions;
  if (!newest) return { kind: 'absent' };
  const { value } = newest;
  const isSince = ({ timestampMs = 0 }: CrmVersion) =>
    timestampMs > (change.seenAtMs ?? Number.POSITIVE_INFINITY);
  const since = versions.find((version) => !isOurs(version, ownAppId) && isSince(version));
  const ours = isOurs(newest, ownAppId) ? value : undefined;
  const absent: Fate = { kind: 'absent', ours, lost: since?.value };
  if (!versions.some(isThisWrite)) return absent;
  if (!isThisWrite(newest)) return isOurs(newest, ownAppId) ? absent : { kind: 'overtaken', value };
  const at = versions.findIndex((version) => !isThisWrite(version));
  const under = versions[at];
  if (!under || isOurs(under, ownAppId)) return { kind: 'arrived', value };
  // Our write was repeated. Then a value between the two attempts was written after the first, even if it equals the
  // former value.
  const isLater =
    under.value !== (change.before ?? '') || isSince(under) || versions.slice(at).some(isThisWrite);
  return isLater ? { kind: 'overwrote', value, lost: under.value } : { kind: 'arrived', value };
}

export function isOurs({ sourceType, sourceId }: CrmVersion, ownAppId: string | undefined): boolean {
  return sourceType === 'INTEGRATION' && (ownAppId === undefined || sourceId === ownAppId);
}
