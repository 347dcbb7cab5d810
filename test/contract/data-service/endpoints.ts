/** One line of the specification's summary of endpoints. */
export interface Endpoint {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: 200 | 201;
}

const get = (operation: string, path: string): Endpoint => ({ operation, method: 'GET', path, status: 200 });
const post = (operation: string, path: string): Endpoint => ({
  operation,
  method: 'POST',
  path,
  status: 201,
});

export const CHECK_KEY = get('Check API key', '/api/v1/public/auth');
export const PEOPLE_SEARCH = post('People search', '/api/v1/people/search');
export const COMPANY_SEARCH = post('Company search', '/api/v1/company/search');
export const EMPLOYEE_SEARCH = get('Company employee search', '/api/v1/company/employee-search');
export const PEOPLE_LOOKUP = get('People lookup', '/api/v1/people/lookup');
export const PEOPLE_PROFILE = get('People profile', '/api/v1/people/profile');
export const COMPANY_PROFILE = get('Company profile', '/api/v1/company/profile');
export const REVERSE_EMAIL = get('Reverse email lookup', '/api/v1/people/lookup/email');
export const REVERSE_PHONE = get('Reverse phone lookup', '/api/v1/people/lookup/phone');

export const PERSON_OPTIONS = { include_email: 'include', include_phone: 'include' };
export const COMPANY_OPTIONS = {
  funding: 'include',
  extra: 'include',
  technology: 'include',
  website_traffic: 'include',
  headcount_growth: 'include',
};
export const PROFILE_OPTIONS = {
  include_funding: 'include',
  include_technology: 'include',
  include_contacts: 'include',
};
