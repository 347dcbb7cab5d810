import * as z from 'zod/mini';

export const metricsEnvSchema = z.object({
  /**
   * The stack's name. It is `service` in log lines, and a dimension of every metric. Powertools defines the name of
   * this variable.
   */
  POWERTOOLS_SERVICE_NAME: z.string().check(z.minLength(1, 'is empty')),
});
