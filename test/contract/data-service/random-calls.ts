import type { Call } from '../../harness/questions-of-calls.ts';
import type { Fields } from './answer.ts';
import {
  CHECK_KEY,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  EMPLOYEE_SEARCH,
  type Endpoint,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './endpoints.ts';

export interface RandomCall extends Call {
  readonly endpoint: Endpoint;
  readonly key: string | null;
}

export interface Draw {
  /** True this often, 0 to 1. */
  chance(share: number): boolean;
  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number;
  one<T>(items: readonly T[]): T;
}

/** A linear congruential generator, the same for the same seed. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    chance: (share) => next() < share,
    integer,
    one: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to draw from.');
      return item;
    },
  };
}

const GOOD_KEYS = ['sandbox-key', 'sandbox-key-2'];
const BAD_KEYS = [null, 'not-a-key', 'sandbox-key-old'];
const NO_COMPANY = 'no-such-company-4711.com';
const WRONG_DOMAIN = 'not a domain';

/** Any operation with any options about people who exist; now and then a wrong key, a wrong value, or nobody. */
export function drawCall(draw: Draw, people: readonly Fields[]): RandomCall {
  const key = draw.chance(0.03) ? draw.one(BAD_KEYS) : draw.one(GOOD_KEYS);
  const person = draw.one(people);
  return { ...draw.one(draw.chance(0.15) ? SEARCHES : SINGLES)(draw, person), key };
}

type Maker = (draw: Draw, person: Fields) => Omit<RandomCall, 'key'>;

const SEARCHES: readonly Maker[] = [
  (draw, person) => ({
    operation: 'searchPeople',
    endpoint: PEOPLE_SEARCH,
    params: { ...filters(draw, person), ...page(draw, 'per_page'), ...contactOptions(draw) },
  }),
  (draw, person) => ({
    operation: 'searchCompanies',
    endpoint: COMPANY_SEARCH,
    params: {
      ...filters(draw, person),
      ...page(draw, 'per_page'),
      ...options(draw, ['funding', 'extra', 'technology', 'website_traffic', 'headcount_growth']),
    },
  }),
];

const SINGLES: readonly Maker[] = [
  () => ({ operation: 'checkKey', endpoint: CHECK_KEY, params: {} }),
  (draw, person) => ({
    operation: 'searchEmployees',
    endpoint: EMPLOYEE_SEARCH,
    params: { company_domain: domain(draw, person), ...page(draw, 'limit'), ...contactOptions(draw) },
  }),
  (draw, person) => ({
    operation: 'lookUpPerson',
    endpoint: PEOPLE_LOOKUP,
    params: {
      company_domain: domain(draw, person),
      first_name: text(person, 'first_name'),
      ...contactOptions(draw),
    },
  }),
  (draw, person) => ({
    operation: 'personProfile',
    endpoint: PEOPLE_PROFILE,
    params: { network_url: known(draw, text(person, 'network_url')), ...contactOptions(draw) },
  }),
  (draw, person) => ({
    operation: 'companyProfile',
    endpoint: COMPANY_PROFILE,
    params: {
      domain: domain(draw, person),
      ...options(draw, ['include_funding', 'include_technology', 'include_contacts']),
    },
  }),
  (draw, person) => ({
    operation: 'reverseEmail',
    endpoint: REVERSE_EMAIL,
    params: { email: known(draw, text(person, 'email')) },
  }),
  (draw, person) => ({
    operation: 'reversePhone',
    endpoint: REVERSE_PHONE,
    params: { phone: draw.chance(0.1) ? '+19005550123' : text(person, 'mobile_number') },
  }),
];

/** Empty where the record has none, which the service refuses. */
function text(person: Fields, key: string): string {
  const value = person[key];
  return typeof value === 'string' ? value : '';
}

function domain(draw: Draw, person: Fields): string {
  if (draw.chance(0.03)) return WRONG_DOMAIN;
  return draw.chance(0.1) ? NO_COMPANY : text(person, 'organizations.primary_domain');
}

/** One that nobody has, now and then. */
function known(draw: Draw, value: string): string {
  return draw.chance(0.1) ? `${value}-no-such` : value;
}

function filters(draw: Draw, person: Fields) {
  if (draw.chance(0.05)) return {};
  const company = { q_organization_domains: [domain(draw, person)] };
  return draw.chance(0.1) ? { person_titles: [text(person, 'title')] } : company;
}

function page(draw: Draw, name: 'per_page' | 'limit') {
  if (draw.chance(0.3)) return {};
  return { [name]: draw.chance(0.05) ? draw.one([0, 101]) : draw.integer(1, 100) };
}

const contactOptions = (draw: Draw) => options(draw, ['include_email', 'include_phone']);

function options<Name extends string>(
  draw: Draw,
  names: readonly Name[],
): { [name in Name]?: 'include' | 'exclude' } {
  const given: { [name in Name]?: 'include' | 'exclude' } = {};
  for (const name of names) {
    if (draw.chance(0.6)) given[name] = draw.one(['include', 'exclude']);
  }
  return given;
}
