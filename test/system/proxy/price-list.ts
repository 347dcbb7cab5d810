/**
 * The data service's prices from its documentation, independent of the product's code: credits for a record, and for
 * its options. A search costs this much for each result.
 */
const PERSON = { include_email: 2, include_phone: 3 };
const COMPANY = { include_funding: 2, include_technology: 1, include_contacts: 3 };

const ADD_ONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'GET /api/v1/people/lookup': PERSON,
  'GET /api/v1/people/profile': PERSON,
  'GET /api/v1/people/lookup/email': {},
  'GET /api/v1/people/lookup/phone': {},
  'GET /api/v1/company/employee-search': PERSON,
  'GET /api/v1/company/profile': COMPANY,
};
const FREE = 'GET /api/v1/public/auth';

/**
 * Returns the charge of an answer. "No match" is charged in full here.
 * @throws Error for a request that is not on the list, because the bill is then unknown.
 */
export function chargeOf(what: string, { status, text }: { status: number; text: string }): number {
  const [path = '', query = ''] = what.split('?');
  const addOns = ADD_ONS[path];
  if (path === FREE) return 0;
  if (!addOns) throw new Error(`${path} is on no price list.`);
  if (status !== 404 && (status < 200 || status > 299)) return 0;
  const asked = new URLSearchParams(query);
  const added = Object.entries(addOns).filter(([name]) => asked.get(name) === 'include');
  const price = 1 + added.reduce((sum, [, credits]) => sum + credits, 0);
  const { data } = JSON.parse(text) as { data?: unknown };
  return price * (Array.isArray(data) ? data.length : 1);
}
