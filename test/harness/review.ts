import type { Review } from '#inside/review/schemas.ts';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Acceptance, acceptFindings, rejectFinding } from '#shared/extensions/review';
import { type FindingKind, type ReviewLine, reviewLines } from '#shared/review';
import type { Fuse } from './fuse.ts';
import type { RecordName } from './hubspot-portal.ts';
import type { World } from './world.ts';

/** Lists everything that needs review. */
export async function undecided(world: World, kind?: FindingKind): Promise<ReviewLine[]> {
  const reviews: Review[] = [];
  let after: string | undefined;
  do {
    const page = await world.services.reviews.page({ kind, after });
    reviews.push(...page.values);
    after = page.next;
  } while (after !== undefined);
  return reviewLines(reviews, kind);
}

/** Does the same as `review accept`, in its own process. */
export function accept(
  world: World,
  records: readonly RecordName[],
  { kind = 'proposal', fuse }: { kind?: FindingKind; fuse?: Fuse } = {},
): Promise<Acceptance[]> {
  const [first] = records;
  if (!first) return Promise.resolve([]);
  const names = records.map((record) => ({ record, kind }));
  return acceptFindings(world.operator(fuse), first.objectType, names);
}

/** `review accept --all --kind proposal`. */
export async function acceptAll(world: World): Promise<Acceptance[]> {
  const lines = await undecided(world, 'proposal');
  const done: Acceptance[] = [];
  for (const objectType of OBJECT_TYPES) done.push(...(await accept(world, recordsOf(lines, objectType))));
  return done;
}

function recordsOf(lines: readonly ReviewLine[], objectType: ObjectType): RecordName[] {
  return lines.flatMap(({ record }) => {
    const [type, id = ''] = record.split('/');
    return type === objectType ? [{ objectType, id }] : [];
  });
}

/** `review reject`. */
export function reject(world: World, record: RecordName, kind: FindingKind = 'proposal') {
  return rejectFinding(world.operator(), { record, kind });
}
