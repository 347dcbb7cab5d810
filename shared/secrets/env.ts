import * as z from 'zod';

export const secretsEnvSchema = z.object({
  SECRET_SOURCE: z.enum(['secrets-manager', 'ssm']),
  /** Name or ARN of the secret, or name of the SecureString parameter. Never the secret itself. */
  SECRET_ID: z.string().min(1),
});
