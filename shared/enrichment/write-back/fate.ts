import type { CrmVersion } from '#shared/crm';
import type { Normalise } from '#shared/field-policy';
import type { Change } from '#shared/records';
import { says } from './arrived.ts';

/** Result of a write that timed out, by HubSpot's history of the property. */
export type Fate =
  /** Nothing of it is there, but maybe another value of ours. It may still come for as long as the request may be under way. */
  | {
      readonly kind: 'absent';
      readonly ours?: string | undefined;
      /** Under it, what a person wrote since we had read. */
      readonly lost?: string | undefined;
    }
  /** It is the newest value, and was put over what it was meant to be put over. */
  | { readonly kind: 'arrived'; readonly value: string }
  /** It is the newest value, and replaced a value that was written after our reading. */
  | { readonly kind: 'overwrote'; readonly value: string; readonly lost: string }
  /** A person wrote after it: the value, or the blank, is theirs. */
  | { readonly kind: 'overtaken'; readonly value: string };

interface Witness {
  /** Newest first. */
  readonly versions: readonly CrmVersion[];
  /** Without it, every integration that wrote the very value passes for us. */
  readonly ownAppId: string | undefined;
  readonly normalise: Normalise;
}

/** Judged by order and by HubSpot's own clock: ours may differ from it. */
export function fateOf(change: Change, { versions, ownAppId, normalise }: Witness): Fate {
  const isThisWrite = (version: CrmVersion) =>
    isOurs(version, ownAppId) && says(change, version.value, normalise);
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
  // Under a repetition of our own write, even what equals the value from before was written after it.
  const isLater =
    under.value !== (change.before ?? '') || isSince(under) || versions.slice(at).some(isThisWrite);
  return isLater ? { kind: 'overwrote', value, lost: under.value } : { kind: 'arrived', value };
}

export function isOurs({ sourceType, sourceId }: CrmVersion, ownAppId: string | undefined): boolean {
  return sourceType === 'INTEGRATION' && (ownAppId === undefined || sourceId === ownAppId);
}
