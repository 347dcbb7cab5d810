import { MINUTE_MS, seededRandom } from '../../../shared/kernel/index.ts';
import type { OperationName } from './operation.ts';

export const FAULT_KINDS = [
  'status',
  'reset-before',
  'reset-after',
  'hang',
  'slow',
  'malformed',
  'headers-missing',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Operation with the fault. By default, all operations. */
  readonly operation?: OperationName;
  /** Status of the answer, for the kind `status`. 500 by default. */
  readonly status?: number;
  /**
   * Body of the answer, for the kind `status`. It simulates a proxy's page, without the service's headers and error.
   */
  readonly body?: string;
  /** Probability of the fault, 0 to 1. 1 by default. */
  readonly rate?: number;
  /** Maximum number of requests with this fault. */
  readonly times?: number;
  /** Delay for the kind `slow`, in milliseconds. Ten seconds by default. */
  readonly latencyMs?: number;
  /** Whether the request is executed and charged. By default no for `status`, and yes for `hang`. */
  readonly afterWork?: boolean;
}

export const DEFAULT_SLOWNESS_MS = MINUTE_MS / 6;

/** Number of draws, and occurrences of each fault. This state must survive a restart. */
export interface FaultProgress {
  readonly draws: number;
  readonly struck: readonly number[];
}

export const NO_PROGRESS: FaultProgress = { draws: 0, struck: [] };

/** Draws at most one fault for a request: the first fault of the list that applies and is drawn. */
export function drawFault(
  { faults, seed, operation }: { faults: readonly Fault[]; seed: number; operation: OperationName },
  progress: FaultProgress,
): { readonly fault: Fault | undefined; readonly progress: FaultProgress } {
  let { draws } = progress;
  for (const [index, fault] of faults.entries()) {
    const struckBefore = progress.struck[index] ?? 0;
    if (fault.operation !== undefined && fault.operation !== operation) continue;
    if (struckBefore >= (fault.times ?? Number.POSITIVE_INFINITY)) continue;
    draws += 1;
    if (seededRandom(seed + draws)() >= (fault.rate ?? 1)) continue;
    const struck = faults.map((_, other) => (progress.struck[other] ?? 0) + (other === index ? 1 : 0));
    return { fault, progress: { draws, struck } };
  }
  return { fault: undefined, progress: { ...progress, draws } };
}

/** Whether the request fails before the lookup and the charge. */
export function strikesBeforeWork({ kind, afterWork }: Fault): boolean {
  if (kind === 'reset-before') return true;
  if (kind === 'status') return afterWork !== true;
  return kind === 'hang' && afterWork === false;
}
