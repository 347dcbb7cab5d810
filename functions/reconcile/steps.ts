import { UpstreamError } from '#shared/kernel/errors.ts';
import type { Logger } from '#shared/kernel/logger.ts';

/** Steps of which each has its turn, whatever becomes of the others. */
export function createSteps(logger: Logger) {
  const errors: unknown[] = [];
  return {
    /** @returns `otherwise` when the step failed. */
    take: async <R>(name: string, step: () => Promise<R>, otherwise: R): Promise<R> => {
      try {
        return await step();
      } catch (error) {
        const code =
          error instanceof UpstreamError ? error.code : error instanceof Error ? error.name : 'UNKNOWN';
        logger.error('step-failed', { key: name, code });
        errors.push(error);
        return otherwise;
      }
    },
    /** @throws the first error, if there was one: the invocation has failed. */
    end: (): void => {
      if (errors.length > 0) throw errors[0];
    },
  };
}
