const RESOLVED = 'resolved: ';

/** Reason of an entry that resolves a doubt. @param note from a person or from the policy. */
export function resolutionReason(note: string): string {
  return `${RESOLVED}${note}`;
}

export function isResolution({ reason }: { readonly reason?: string | undefined }): boolean {
  return reason?.startsWith(RESOLVED) ?? false;
}
