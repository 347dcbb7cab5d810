import { type IndexedItems, kind, type OpenItems } from '#shared/store';
import { type Backfill, backfillSchema, type Member, memberSchema } from './schemas.ts';

const EXAMPLES = 'EXAMPLES; the oldest are dropped.';

export const backfillKind = kind({
  name: 'quote or backfill: counts, ids of a few records',
  prefix: 'backfill',
  scope: 'portal',
  table: 'state',
  schema: backfillSchema,
  key: (id: string) => id,
  /** Lists all backfills, oldest first. */
  index: ({ createdAtMs }) => ({ partition: 'backfills' as const, order: createdAtMs }),
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {
    byRule: 'Rules of the policy, each once.',
    damagedIds: EXAMPLES,
    leftOut: 'Reasons from a fixed list, and rules of the policy.',
    outstanding: 'MAX_OUTSTANDING; nothing more is started at it.',
    'pause.examples': EXAMPLES,
    postponed: 'Taken from `outstanding`, and so no more than that holds.',
    'scope.where': 'Conditions that a person typed in one command.',
    strata: 'Ways in which the policy looks up a record, a fixed list.',
    'strata.missIds': EXAMPLES,
    withoutResult: 'Reasons from a fixed list, and rules of the policy.',
  },
});

export const memberKind = kind({
  name: 'record of a backfill: its id',
  prefix: 'member',
  scope: 'portal',
  table: 'state',
  schema: memberSchema,
  key: ({ backfillId, id }: Pick<Member, 'backfillId' | 'id'>) => `${backfillId}#${id}`,
  index: ({ backfillId, stratum, order }) => ({ partition: membersPartition(backfillId, stratum), order }),
  expiry: { kept: '500 days', at: ({ untilMs }) => untilMs },
  holdsPeople: false,
  bound: {},
});

export function membersPartition(backfillId: string, stratum: number): `members#${string}#${number}` {
  return `members#${backfillId}#${stratum}`;
}

export interface BackfillItems {
  readonly backfills: IndexedItems<Backfill>;
  readonly members: IndexedItems<Member>;
}

export function backfillItems({ open }: { readonly open: OpenItems }): BackfillItems {
  return { backfills: open(backfillKind), members: open(memberKind) };
}
