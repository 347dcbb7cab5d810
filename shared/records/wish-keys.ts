/** Events whose end somebody asks after by their key. */
const PREFIXES = { request: 'request:', workflow: 'workflow-action:' } as const;

export function wishKey(by: keyof typeof PREFIXES, id: string): string {
  return `${PREFIXES[by]}${id}`;
}

export function isWish(key: string): boolean {
  return Object.values(PREFIXES).some((prefix) => key.startsWith(prefix));
}
