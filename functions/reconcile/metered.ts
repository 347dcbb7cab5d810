import { type Metrics, measure } from '#shared/metrics';
import type { ReconcileServices } from './services.ts';

type Audits = Pick<ReconcileServices, 'auditBooks' | 'rounds'>;

/** Wraps the audits, and counts the problems that they find. */
export function meterAudits({ auditBooks, rounds }: Audits, metrics: Metrics): Audits {
  return {
    auditBooks: async () => {
      const audited = await auditBooks();
      metrics.emit([measure('checksFailed', audited.problems.length)]);
      return audited;
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
