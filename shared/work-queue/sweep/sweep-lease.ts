import { change } from '#shared/store';
import { sweepWindowKind } from '../stored-kinds.ts';
import type { SweepServices } from './sweep-services.ts';
import { leased, released, type SweepLease } from './sweep-window.ts';

type LeaseServices = Pick<SweepServices, 'sweepWindow' | 'clock' | 'newId'>;

/**
 * Runs a sweep unless another sweep runs. This only saves work: the bounds are also kept without the lease. The lease
 * of a crashed sweep ends when its invocation would have ended.
 * @param leftMs remaining time of the invocation.
 * @returns `undefined` if another sweep runs.
 */
export async function underLease<R>(
  { sweepWindow, clock, newId }: LeaseServices,
  leftMs: number,
  sweep: () => Promise<R>,
): Promise<R | undefined> {
  const item = { key: sweepWindowKind.key(), kind: "sweeps' window", clock };
  const lease: SweepLease = { sweepId: newId(), untilMs: clock.now() + leftMs };
  const { value } = await change(sweepWindow, item, (known) => ({
    value: leased(known, lease, clock.now()),
  }));
  if (!value) return undefined;
  try {
    return await sweep();
  } finally {
    await change(sweepWindow, item, (known) => ({ value: released(known, lease.sweepId) }));
  }
}
