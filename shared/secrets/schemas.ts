import * as z from 'zod/mini';
import { UpstreamError } from '#shared/kernel/errors.ts';
import type { Secrets } from './secrets.ts';

const text = (least: number) =>
  z
    .string('is missing')
    .check(z.minLength(least, least === 1 ? 'is empty' : `needs at least ${least} characters`));

const secretsSchema: z.ZodMiniType<Secrets> = z.object({
  dataServiceApiKey: text(1),
  hubSpotAccessToken: text(1),
  hubSpotClientSecret: text(1),
  installationSecret: text(16),
});

/** The document with all its keys. Names what is wrong, and never quotes it. @throws UpstreamError `SECRETS_UNUSABLE` */
export function parseSecrets(document: string): Secrets {
  const parsed = secretsSchema.safeParse(json(document));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? 'it is not a JSON object' : `${path.join('.')} ${message}`,
  );
  throw new UpstreamError({
    code: 'SECRETS_UNUSABLE',
    message: `The secret cannot be used: ${wrong.join(', ')}.`,
    retryable: false,
  });
}

function json(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
