import { kind } from '#shared/store';
import { archivedPolicySchema } from './schemas.ts';

export const archivedPolicyKind = kind({
  name: 'policy that was in force',
  table: 'records',
  schema: archivedPolicySchema,
  key: (hash: string) => `policy#${hash}`,
  index: ({ archivedAtMs }) => ({ partition: 'policies' as const, order: archivedAtMs }),
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {},
});
