import { one } from '../lenient.ts';
import { emailAddress } from '../parameter-rules.ts';
import { personSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';

export const reverseEmail: Operation<'reverseEmail'> = {
  name: 'reverseEmail',
  method: 'GET',
  path: '/api/v1/people/lookup/email',
  successStatus: 200,
  parameters: { email: emailAddress },
  lacks: ({ email }) => (email ? undefined : 'Missing required parameter: email'),
  readData: one(personSchema),
};
