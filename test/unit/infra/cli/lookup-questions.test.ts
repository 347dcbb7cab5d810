import { describe, expect, it } from 'vitest';
import { callOf } from '#shared/questions';
import { lookupQuestion, parameterOf } from '../../../../infra/cli/commands/questions/lookup-questions.ts';

const profileQuestion = (url: string) => lookupQuestion('personProfile', { network_url: url });
const emailQuestion = (email: string) => lookupQuestion('reverseEmail', { email });
const phoneQuestion = (phone: string) => lookupQuestion('reversePhone', { phone });
const companyQuestion = (words: string) =>
  lookupQuestion('companyProfile', { [parameterOf('companyProfile', words) ?? '']: words });

describe('lookup questions', () => {
  it('send everything that is known of a person', () => {
    const name = { company_domain: 'www.Acme.com', first_name: ' Jane', last_name: 'Roe' };
    const given = { ...name, title: 'CTO', location: 'Berlin', include_email: true };
    expect(callOf(lookupQuestion('lookUpPerson', given)).params).toEqual({
      company_domain: 'acme.com',
      first_name: 'Jane',
      last_name: 'Roe',
      title: 'CTO',
      location: 'Berlin',
      include_email: 'include',
      include_phone: 'exclude',
    });
  });

  it('take two ways of writing for one', () => {
    const page = profileQuestion('https://network.example/in/jane-roe');
    expect(profileQuestion('http://www.network.example/in/Jane-Roe/?trk=1')).toEqual(page);
    expect(companyQuestion('https://www.acme.com/')).toEqual(companyQuestion('ACME.com'));
    expect(emailQuestion(' Jane.Roe@Acme.com ')).toEqual(emailQuestion('jane.roe@acme.com'));
    expect(phoneQuestion('+1 (202) 555-0123')).toEqual(phoneQuestion('+12025550123'));
  });

  it('tell a company page from a domain', () => {
    const { parameters } = companyQuestion('network.example/company/acme');
    expect(parameters).toEqual({ network_url: 'https://network.example/company/acme' });
    expect(companyQuestion('shop.acme.co.uk').parameters).toEqual({ domain: 'acme.co.uk' });
  });
});
