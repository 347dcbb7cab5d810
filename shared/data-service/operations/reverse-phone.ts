import { one } from '../lenient.ts';
import { phoneNumber } from '../parameter-rules.ts';
import { personSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';

export const reversePhone: Operation<'reversePhone'> = {
  name: 'reversePhone',
  method: 'GET',
  path: '/api/v1/people/lookup/phone',
  successStatus: 200,
  parameters: { phone: phoneNumber },
  lacks: ({ phone }) => (phone ? undefined : 'Missing required parameter: phone'),
  readData: one(personSchema),
};
