import { one } from '../lenient.ts';
import { workspaceSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';

/** Free, and the only operation that finds nothing: it says whose key this is. */
export const checkKey: Operation<'checkKey'> = {
  name: 'checkKey',
  method: 'GET',
  path: '/api/v1/public/auth',
  successStatus: 200,
  parameters: {},
  readData: one(workspaceSchema),
};
