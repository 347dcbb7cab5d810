import type { ObjectType } from '#shared/crm';
import type { Properties } from './hubspot-portal.ts';
import { profileUrlOf, someCompany, somePerson } from './people.ts';
import type { World } from './world.ts';

/** Kinds of identifying data with which a record can enter HubSpot. */
export const FORMS = ['url', 'email', 'name', 'phone', 'unknown', 'free-mail', 'company', 'page'] as const;

export interface Wanted {
  readonly form:
    | (typeof FORMS)[number]
    | 'bare'
    | 'reachable'
    | 'url-and-email'
    | 'url-and-other-email'
    | 'url-and-phone';
  /** Number of the person or company. The same number occurs repeatedly. */
  readonly who: number;
}

export function typeOf({ form }: Wanted): ObjectType {
  return form === 'company' || form === 'page' ? 'companies' : 'contacts';
}

export function propertiesOf(world: World, { form, who }: Wanted): Properties {
  const person = somePerson(world, who);
  const company = someCompany(world, who);
  const { firstName: firstname, lastName: lastname } = person;
  switch (form) {
    case 'url':
      return { hs_linkedin_url: profileUrlOf(person) };
    case 'url-and-email':
      return { hs_linkedin_url: profileUrlOf(person), email: person.job.email ?? '' };
    case 'url-and-other-email':
      return { hs_linkedin_url: profileUrlOf(person), email: `somebody${who}@gmail.com` };
    case 'url-and-phone':
      return { hs_linkedin_url: profileUrlOf(person), mobilephone: person.mobile ?? '' };
    case 'email':
      return { email: person.job.email ?? '' };
    case 'name':
      return { firstname, lastname, website: person.job.company.domains[0] };
    case 'phone':
      return person.mobile ? { phone: person.mobile } : {};
    case 'unknown':
      return { email: `mina.marlowe${who}@unknown-firm.com` };
    case 'free-mail':
      return { firstname, email: `somebody${who}@gmail.com` };
    case 'company':
      return { domain: company.domains[0] };
    case 'page':
      return { linkedin_company_page: `https://www.linkedin.com/company/${company.networkSlug}` };
    case 'reachable':
      return {
        hs_linkedin_url: profileUrlOf(person),
        phone: person.mobile ?? '',
        mobilephone: person.mobile ?? '',
      };
    case 'bare':
      return {};
  }
}
