import type { CrmVersion } from '#shared/crm';
import type { Normalise } from '#shared/field-policy';
import type { Change } from '#shared/records';
import { matchesWrite } from './arrived.ts';

/** Result of a write that timed out, as HubSpot's history of the property shows. */
export type Fate =
  /**
   * HubSpot does not show the write, but may show another value of ours. The write may still arrive during the lifetime
   * of the request.
   */
  | {
      readonly kind: 'absent';
      readonly ours?: string | undefined;
      /** The value that a person wrote after our read, and that our own value replaced. */
      readonly lost?: string | undefined;
    }
  /** The write is the newest value, and replaced the value that we had read. */
  | { readonly kind: 'arrived'; readonly value: string }
  /** The write is the newest value, and replaced a value that was written after our read. */
  | { readonly kind: 'overwrote'; readonly value: string; readonly lost: string }
  /** A person wrote after our write. `value` is the person's value; it can be empty. */
  | { readonly kind: 'overtaken'; readonly value: string };

interface Witness {
  /** Newest first. */
  readonly versions: readonly CrmVersion[];
  /** Id of our app. Without the id, every integration that wrote the same value counts as ours. */
  readonly ownAppId: string | undefined;
  readonly normalise: Normalise;
}

/** Judges a write by the order of versions and by HubSpot's clock, because our clock may differ from it. */
export function fateOf(change: Change, { versions, ownAppId, normalise }: Witness): Fate {
  const isThisWrite = (version: CrmVersion) =>
    isOurs(version, ownAppId) && matchesWrite(change, version.value, normalise);
  const [newest] = versions;
  if (!newest) return { kind: 'absent' };
  const { value } = newest;
  const isAfterRead = ({ timestampMs = 0 }: CrmVersion) =>
    timestampMs > (change.seenAtMs ?? Number.POSITIVE_INFINITY);
  const othersWrite = versions.find((version) => !isOurs(version, ownAppId) && isAfterRead(version));
  const ours = isOurs(newest, ownAppId) ? value : undefined;
  const absent: Fate = { kind: 'absent', ours, lost: othersWrite?.value };
  if (!versions.some(isThisWrite)) return absent;
  if (!isThisWrite(newest)) return isOurs(newest, ownAppId) ? absent : { kind: 'overtaken', value };
  const replacedIndex = versions.findIndex((version) => !isThisWrite(version));
  const replaced = versions[replacedIndex];
  if (!replaced || isOurs(replaced, ownAppId)) return { kind: 'arrived', value };
  // If our write was repeated, a value between the two attempts was written after the first attempt, so also after our
  // read. This is true even if it equals the former value.
  const wasWrittenAfterRead =
    replaced.value !== (change.before ?? '') ||
    isAfterRead(replaced) ||
    versions.slice(replacedIndex).some(isThisWrite);
  return wasWrittenAfterRead
    ? { kind: 'overwrote', value, lost: replaced.value }
    : { kind: 'arrived', value };
}

export function isOurs({ sourceType, sourceId }: CrmVersion, ownAppId: string | undefined): boolean {
  return sourceType === 'INTEGRATION' && (ownAppId === undefined || sourceId === ownAppId);
}
