import * as z from 'zod';

/** `POST /oauth/v2/private-apps/get/access-token-info`, read leniently. */
export const tokenInfoSchema = z.object({ appId: z.coerce.string().regex(/^\d+$/) });

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

/** `GET /crm/property-validations/{version}/{objectTypeId}`, read leniently. */
export const valueRulesSchema = z.object({
  results: z.array(
    z.object({
      propertyName: z.string(),
      propertyValidationRules: z
        .array(z.object({ ruleType: z.string(), ruleArguments: z.array(z.coerce.string()).catch([]) }))
        .catch([]),
    }),
  ),
});
