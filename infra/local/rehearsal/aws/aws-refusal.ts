import { ConfigurationError } from '../../../aws/configuration.ts';

export interface AwsRefusal {
  /** Text that names no resource, so that a report can contain it. */
  readonly code: string;
  readonly words: string;
}

/** Returns the refusal of AWS or the failure of the network; `undefined` for a bug of ours. */
export function awsRefusal(error: unknown): AwsRefusal | undefined {
  if (error instanceof ConfigurationError)
    return { code: 'AWS refused, or did not answer', words: error.message };
  // The SDK adds it to every error that ends a request.
  if (!(error instanceof Error && '$metadata' in error)) return undefined;
  return { code: error.name, words: `${error.name}: ${error.message}` };
}
