import { badRequest } from '../errors.ts';
import { findPeople, isEmpty, readSearch } from '../filters/search.ts';
import type { Operation } from '../operation.ts';
import { contactCredits, readSwitch } from '../parameters.ts';
import { personRecord } from '../records/person-record.ts';
import { readBody, readPage, sliceOf } from './search-body.ts';

/** Spec: "People search". */
export const peopleSearch: Operation = {
  name: 'people-search',
  method: 'POST',
  path: '/api/v1/people/search',
  successStatus: 201,
  read: (input) => {
    const body = readBody(input);
    const page = readPage(body);
    const search = readSearch(body);
    if (isEmpty(search)) throw badRequest('At least one search criterion is required');
    const options = {
      email: readSwitch(body['include_email'], 'include_email'),
      phone: readSwitch(body['include_phone'], 'include_phone'),
    };
    return {
      price: { per: 'result', base: 1, full: 1 + contactCredits(options) },
      answer: (view) => {
        const found = sliceOf(findPeople(search, view), page);
        const data = found.map((person) => personRecord(person, view.nowMs, options));
        return { resultCount: data.length, body: { data } };
      },
    };
  },
};
