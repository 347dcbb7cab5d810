import type { OperationName } from '../types.ts';
import { checkKey } from './check-key.ts';
import { companyProfile } from './company-profile.ts';
import { lookUpPerson } from './look-up-person.ts';
import type { Operation } from './operation.ts';
import { personProfile } from './person-profile.ts';
import { reverseEmail } from './reverse-email.ts';
import { reversePhone } from './reverse-phone.ts';
import { searchCompanies } from './search-companies.ts';
import { searchEmployees } from './search-employees.ts';
import { searchPeople } from './search-people.ts';

export const OPERATIONS: { readonly [Name in OperationName]: Operation<Name> } = {
  checkKey,
  searchPeople,
  searchCompanies,
  searchEmployees,
  lookUpPerson,
  personProfile,
  companyProfile,
  reverseEmail,
  reversePhone,
};
