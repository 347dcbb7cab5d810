/**
 * Error of a stand-in's `handle` for a broken connection. The server then closes the socket without sending a byte. A
 * test that calls `handle` directly gets this error.
 */
export class ConnectionReset extends Error {
  readonly afterWork: boolean;

  constructor(afterWork: boolean) {
    super(`The connection was reset ${afterWork ? 'after' : 'before'} the request took effect.`);
    this.name = 'ConnectionReset';
    this.afterWork = afterWork;
  }
}

/** Never answers. Rejects when the client aborts. */
export function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
