import type { Digest } from '#shared/kernel';

/** The property whose description contains the mark of the installation that was set up last. */
export const MARKED_PROPERTY = { objectType: 'contacts', name: 'enrichment_status' } as const;

const MARK = / \[installation ([0-9a-f]{12})\]$/;

/** A short hash of the installation secret. It identifies the installation and is not personal data. */
export function installationMark(digest: Pick<Digest, 'keyed'>): string {
  return digest.keyed('installation mark').slice(0, 12);
}

/** Owner of the mark in the account. `unset`: our property does not exist, or its description has no mark. */
export type MarkSeen = 'ours' | 'other' | 'unset';

/** Reads the owner of the mark in a description. */
export function markSeen(description: string | undefined, digest: Pick<Digest, 'keyed'>): MarkSeen {
  const mark = MARK.exec(description ?? '')?.[1];
  if (mark === undefined) return 'unset';
  return mark === installationMark(digest) ? 'ours' : 'other';
}

/** Replaces the mark in a description; a person's own text stays. */
export function withMark(description: string | undefined, mark: string): string {
  return `${(description ?? '').replace(MARK, '')} [installation ${mark}]`;
}
