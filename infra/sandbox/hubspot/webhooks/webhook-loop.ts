import type { Portal } from '../portal.ts';

interface Loop {
  readonly portal: Portal;
  readonly deliver: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Delivers whenever events are due, and a short while after the first of them so that others may join it. */
export async function deliverContinuously({ portal, deliver, signal }: Loop): Promise<void> {
  while (!signal.aborted) {
    portal.wake = Promise.withResolvers();
    await untilDue(portal, signal);
    await pause(portal, { ms: portal.state.settings.webhookDelayMs, signal });
    if (!signal.aborted) await deliver();
  }
}

/** Returns when an event is due, when a new one or a new setting came, or when the signal is aborted. */
async function untilDue(portal: Portal, signal: AbortSignal): Promise<void> {
  const dueAt = Math.min(...portal.state.pendingEvents.map((event) => event.dueAt));
  const idle = portal.state.settings.webhookUrl === null || dueAt === Number.POSITIVE_INFINITY;
  const waitMs = dueAt - portal.clock.now();
  if (!idle && waitMs <= 0) return;
  const woken = new AbortController();
  const stop = () => portal.wake.resolve();
  signal.addEventListener('abort', stop);
  const timer = idle ? [] : [pause(portal, { ms: waitMs, signal: woken.signal })];
  await Promise.race([portal.wake.promise, ...timer]);
  woken.abort();
  signal.removeEventListener('abort', stop);
}

async function pause(portal: Portal, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
  try {
    await portal.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
