import { kind } from '#shared/store';
import { archivedPolicySchema } from './schemas.ts';

export const archivedPolicyKind = kind({
  name: 'policy that was in force',
  prefix: 'policy',
  scope: 'portal',
  table: 'state',
  schema: archivedPolicySchema,
  key: (hash: string) => hash,
  index: ({ archivedAtMs }) => ({ partition: 'policies' as const, order: archivedAtMs }),
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {},
});
