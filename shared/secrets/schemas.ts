import * as z from 'zod';
import type { Secrets } from './secrets.ts';

export const secretsSchema: z.ZodType<Secrets> = z.object({
  dataServiceApiKey: z.string().min(1),
  hubSpotAccessToken: z.string().min(1),
  hubSpotClientSecret: z.string().min(1),
  installationSecret: z.string().min(16),
});
