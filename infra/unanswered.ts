/** Whether no connection was made, or no answer came in time. The codes are Node's. */
export function isUnanswered(error: Error): boolean {
  return /^(?:ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ETIMEDOUT)/.test(nodeCodeOf(error));
}

/** The address that the error names; `undefined` for a timeout. */
export function addressIn(error: Error): string | undefined {
  if ('hostname' in error) return String(error.hostname);
  if (!('address' in error)) return undefined;
  return 'port' in error ? `${error.address}:${error.port}` : String(error.address);
}

export function nodeCodeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
