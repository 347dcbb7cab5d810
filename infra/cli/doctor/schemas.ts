import * as z from 'zod';

/** `GET /account-info/{version}/api-usage/daily/private-apps`, read leniently. */
export const dailyUsageSchema = z.object({
  results: z
    .array(
      z.object({
        usageLimit: z.number(),
        currentUsage: z.number(),
        resetsAt: z.string().optional().catch(undefined),
      }),
    )
    .min(1),
});
