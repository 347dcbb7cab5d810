import * as z from 'zod/mini';

export const secretsEnvSchema = z.object({
  SECRET_SOURCE: z.enum(['secrets-manager', 'ssm'], 'expected secrets-manager or ssm'),
  /** Prefix of the secrets' names. Never a secret itself. */
  SECRET_PREFIX: z.string().check(z.minLength(1, 'is empty')),
});
