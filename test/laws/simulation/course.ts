import type { SqliteStore } from '#shared/store/adapters';
import type { Commands } from '../../harness/console.ts';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import type { World } from '../../harness/world.ts';
import type { LateWrites } from './late-writes.ts';
import type {
  Accepted,
  AgreedPrice,
  Backfilled,
  Erased,
  Halt,
  Quiet,
  Rejected,
  Resolved,
  Undone,
} from './oracle/evidence.ts';
import type { Plan } from './plan.ts';
import type { VendorLine } from './vendor-line.ts';

/** A backfill that a person started, while the course runs. */
export interface SeenBackfill extends Omit<Backfilled, 'status' | 'halts'> {
  readonly halts: Halt[];
}

/** A run, and its record of people's actions. */
export interface Course {
  readonly plan: Plan;
  readonly world: World;
  readonly run: Commands['run'];
  readonly commands: Commands;
  readonly created: RecordName[];
  readonly erased: Erased[];
  readonly undone: Undone[];
  readonly rejected: Rejected[];
  readonly resolved: Resolved[];
  readonly prices: AgreedPrice[];
  readonly backfills: SeenBackfill[];
  readonly accepted: Accepted[];
  readonly quiet: Quiet[];
  readonly closed: Quiet[];
  readonly line: VendorLine;
  readonly refusedForGood: string[];
  readonly lateWrites: LateWrites;
  readonly store: SqliteStore;
  /** Time when people requested every existing record. */
  askedForAllAtMs: number;
}
