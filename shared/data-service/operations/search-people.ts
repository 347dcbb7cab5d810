import { many } from '../lenient.ts';
import { pageNumber, pageSize } from '../parameter-rules.ts';
import { personSchema } from '../schemas.ts';
import { FILTER_RULES, hasFilter } from '../search-filters.ts';
import type { Operation } from './operation.ts';
import { personOptions } from './person-options.ts';

export const searchPeople: Operation<'searchPeople'> = {
  name: 'searchPeople',
  method: 'POST',
  path: '/api/v1/people/search',
  successStatus: 201,
  parameters: { page: pageNumber, per_page: pageSize, ...personOptions, ...FILTER_RULES },
  lacks: (parameters) => (hasFilter(parameters) ? undefined : 'At least one search criterion is required'),
  readData: many(personSchema),
};
