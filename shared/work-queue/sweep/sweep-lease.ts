import { statusKind } from '#shared/records';
import { change } from '#shared/store';
import type { SweepServices } from './sweep-services.ts';
import { leased, released, type SweepLease } from './sweep-window.ts';

type LeaseServices = Pick<SweepServices, 'status' | 'clock' | 'newId'>;

/**
 * Runs a sweep unless another sweep runs. This only saves work: the bounds are also kept without the lease. The lease
 * of a crashed sweep ends when its invocation would have ended.
 * @param leftMs remaining time of the invocation.
 * @returns `undefined` if another sweep runs.
 */
export async function underLease<R>(
  { status, clock, newId }: LeaseServices,
  leftMs: number,
  sweep: () => Promise<R>,
): Promise<R | undefined> {
  const item = { key: statusKind.key('sweep'), kind: "sweeps' window", clock };
  const lease: SweepLease = { sweepId: newId(), untilMs: clock.now() + leftMs };
  const { value } = await change(status, item, (known) => {
    const taken = leased(known?.sweep, lease, clock.now());
    return { value: taken && { sweep: taken } };
  });
  if (!value) return undefined;
  try {
    return await sweep();
  } finally {
    await change(status, item, (known) => {
      const ended = released(known?.sweep, lease.sweepId);
      return { value: ended && { sweep: ended } };
    });
  }
}
