import type { SweepStep } from '#shared/enrichment';
import { expireValues } from './expire-values.ts';

/** Runs a part of the pass for values past their retention period. */
export const retentionStep: SweepStep = {
  name: 'retention',
  place: 'last',
  take: async (services) => {
    const expired = await expireValues(services);
    if (!expired) return;
    const { logger } = services;
    const { unreadable } = expired;
    logger.info('values-expired', { counts: { ...expired } });
    if (unreadable > 0) logger.warn('retention-unreadable', { counts: { unreadable } });
  },
};
