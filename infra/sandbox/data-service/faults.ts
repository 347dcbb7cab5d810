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
  /** Without it, the fault befalls every operation. */
  readonly operation?: OperationName;
  /** Of the answer, for the kind `status`; 500 unless told. */
  readonly status?: number;
  /** Of the answer, for the kind `status`: a page of a proxy's, without the service's headers, instead of its error. */
  readonly body?: string;
  /** How likely a request meets it, 0 to 1; 1 unless told. */
  readonly rate?: number;
  /** How many requests meet it at most. */
  readonly times?: number;
  /** For the kind `slow`, in milliseconds; ten seconds unless told. */
  readonly latencyMs?: number;
  /** Whether the work is done, and charged: `status` not, `hang` yes, unless told. */
  readonly afterWork?: boolean;
}

export const DEFAULT_SLOWNESS_MS = MINUTE_MS / 6;

/** Which draw comes next and how often each fault has struck: all that must be kept across a restart. */
export interface FaultProgress {
  readonly draws: number;
  readonly struck: readonly number[];
}

export const NO_PROGRESS: FaultProgress = { draws: 0, struck: [] };

/** At most one fault befalls a request: the first of the list that applies and is drawn. */
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

/** Whether the request meets its end before anything is looked up or charged. */
export function strikesBeforeWork({ kind, afterWork }: Fault): boolean {
  if (kind === 'reset-before') return true;
  if (kind === 'status') return afterWork !== true;
  return kind === 'hang' && afterWork === false;
}
