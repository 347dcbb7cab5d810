const RESOLVED = 'resolved: ';

/** Why an entry was made that resolves a doubt. @param note a person's, or what assumed it. */
export function resolutionReason(note: string): string {
  return `${RESOLVED}${note}`;
}

export function isResolution({ reason }: { readonly reason?: string | undefined }): boolean {
  return reason?.startsWith(RESOLVED) ?? false;
}
