import type { Bill } from './bill.ts';
import type { FaultProgress } from './faults.ts';
import type { RateState } from './rate-limit.ts';
import { isRecord, type Settings } from './settings.ts';

/** All that changes while the stand-in runs; plain data, so that it survives a restart as JSON. */
export interface SandboxState {
  readonly version: 1;
  /** Of the world that the state belongs to. */
  readonly seed: number;
  readonly settings: Settings;
  readonly bill: Bill;
  /** By API key. */
  readonly rates: Readonly<Record<string, RateState>>;
  readonly faultProgress: FaultProgress;
}

/** @param saved what `state()` once gave. @throws Error when it is something else, or of another world. */
export function readState(saved: unknown, seed: number): SandboxState {
  if (!isState(saved)) throw new Error('The saved state is not one of the data service stand-in.');
  if (saved.seed === seed) return saved;
  throw new Error(`The saved state belongs to the world of seed ${saved.seed}, not ${seed}.`);
}

function isState(saved: unknown): saved is SandboxState {
  if (!isRecord(saved) || saved['version'] !== 1 || typeof saved['seed'] !== 'number') return false;
  return ['settings', 'bill', 'rates', 'faultProgress'].every((part) => isRecord(saved[part]));
}
