import { type Metrics, measure } from '#shared/metrics';
import type { ReconcileServices } from './services.ts';

type Audits = Pick<ReconcileServices, 'checkBooks' | 'rounds'>;

/** Wraps the audits, and counts the problems that they find. */
export function meterAudits({ checkBooks, rounds }: Audits, metrics: Metrics): Audits {
  return {
    checkBooks: async () => {
      const check = await checkBooks();
      metrics.emit([measure('checksFailed', check.problems.length)]);
      return check;
    },
    rounds: {
      ...rounds,
      audit: async () => {
        const audited = await rounds.audit();
        if (audited) metrics.emit([measure('checksFailed', audited.part.lost)]);
        return audited;
      },
    },
  };
}
