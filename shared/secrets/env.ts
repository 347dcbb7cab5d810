import * as z from 'zod/mini';

export const secretsEnvSchema = z.object({
  SECRET_SOURCE: z.enum(['secrets-manager', 'ssm'], 'expected secrets-manager or ssm'),
  /** Name or ARN of the secret, or name of the SecureString parameter. Never the secret itself. */
  SECRET_ID: z.string().check(z.minLength(1, 'is empty')),
});
