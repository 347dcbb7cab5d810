import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/** Alerts that were sent. An alert is repeated only after its fact has ended or expired. */
export const sentAlertsSchema = z.object({
  facts: z.array(
    z.object({ key: z.string(), untilMs: z.number().optional(), stopped: z.string().optional() }),
  ),
});
export type SentAlerts = DeepReadonly<z.infer<typeof sentAlertsSchema>>;
