import type { Stack } from './stack.ts';
import type { StandIns } from './stand-ins.ts';
import type { Workshop } from './workshop.ts';

/** Objects that all checks share. */
export interface Scene {
  readonly workshop: Workshop;
  readonly standIns: StandIns;
  readonly stack: Stack;
}
