import { describe, expect, it } from 'vitest';
import { callOf } from '#inside/questions/question.ts';
import {
  companyQuestion,
  emailQuestion,
  personQuestion,
  phoneQuestion,
  profileQuestion,
} from '../../../../infra/cli/commands/questions/lookup-questions.ts';

describe('lookup questions', () => {
  it('send everything that is known of a person', () => {
    const words = { domain: 'www.Acme.com', first: ' Jane', last: 'Roe', title: 'CTO', location: 'Berlin' };
    expect(callOf(personQuestion(words, { email: true })).params).toEqual({
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
    const page = profileQuestion('https://network.example/in/jane-roe', {});
    expect(profileQuestion('http://www.network.example/in/Jane-Roe/?trk=1', {})).toEqual(page);
    expect(companyQuestion('https://www.acme.com/', {})).toEqual(companyQuestion('ACME.com', {}));
    expect(emailQuestion(' Jane.Roe@Acme.com ')).toEqual(emailQuestion('jane.roe@acme.com'));
    expect(phoneQuestion('+1 (202) 555-0123')).toEqual(phoneQuestion('+12025550123'));
  });

  it('tell a company page from a domain', () => {
    const { parameters } = companyQuestion('network.example/company/acme', {});
    expect(parameters).toEqual({ network_url: 'https://network.example/company/acme' });
    expect(companyQuestion('shop.acme.co.uk', {}).parameters).toEqual({ domain: 'acme.co.uk' });
  });
});
