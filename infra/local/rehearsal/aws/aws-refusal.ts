import { ConfigurationError } from '../../../aws/configuration.ts';

export interface AwsRefusal {
  /** Names no resource: it may stand in a report. */
  readonly code: string;
  readonly words: string;
}

/** What AWS or the network said; nothing for a mistake of ours. */
export function awsRefusal(error: unknown): AwsRefusal | undefined {
  if (error instanceof ConfigurationError)
    return { code: 'AWS refused, or did not answer', words: error.message };
  // The SDK adds it to every error that ends a request.
  if (!(error instanceof Error && '$metadata' in error)) return undefined;
  return { code: error.name, words: `${error.name}: ${error.message}` };
}
