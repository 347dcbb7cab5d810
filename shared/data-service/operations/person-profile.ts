import { one } from '../lenient.ts';
import { personProfileUrl } from '../parameter-rules.ts';
import { personSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';
import { personOptions } from './person-options.ts';

export const personProfile: Operation<'personProfile'> = {
  name: 'personProfile',
  method: 'GET',
  path: '/api/v1/people/profile',
  successStatus: 200,
  parameters: { network_url: personProfileUrl, ...personOptions },
  lacks: ({ network_url }) => (network_url ? undefined : 'Missing required parameter: network_url'),
  readData: one(personSchema),
};
