import type { OperationName } from './types.ts';

export interface DriftNotice {
  readonly operation: OperationName;
  /** As in `Answer.drift`. */
  readonly field: string;
}

export interface DriftLog {
  record(operation: OperationName, fields: readonly string[]): void;
  /** Answers in which a field had an unexpected type, by `operation field`. */
  counts(): ReadonlyMap<string, number>;
}

/**
 * @param onDrift called the first time that a field of an operation drifts, and never again for it: a vendor that
 *   changes a type changes it in every answer.
 */
export function createDriftLog(onDrift: (notice: DriftNotice) => void): DriftLog {
  const counts = new Map<string, number>();
  return {
    record: (operation, fields) => {
      for (const field of fields) {
        const key = `${operation} ${field}`;
        const count = counts.get(key) ?? 0;
        counts.set(key, count + 1);
        if (count === 0) onDrift({ operation, field });
      }
    },
    counts: () => counts,
  };
}
