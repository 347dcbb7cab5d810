import { describe, expect, it } from 'vitest';
import { lookupQuestion, parameterOf } from '../../../../infra/cli/commands/questions/lookup-questions.ts';

const profileQuestion = (url: string) => lookupQuestion('personProfile', { network_url: url });
const emailQuestion = (email: string) => lookupQuestion('reverseEmail', { email });
const phoneQuestion = (phone: string) => lookupQuestion('reversePhone', { phone });
const companyQuestion = (words: string) =>
  lookupQuestion('companyProfile', { [parameterOf('companyProfile', words) ?? '']: words });

describe('lookup questions', () => {
  it('take two ways of writing for one', () => {
    const page = profileQuestion('https://network.example/in/jane-roe');
    expect(profileQuestion('http://www.network.example/in/Jane-Roe/?trk=1')).toEqual(page);
    expect(companyQuestion('https://www.acme.com/')).toEqual(companyQuestion('ACME.com'));
    expect(emailQuestion(' Jane.Roe@Acme.com ')).toEqual(emailQuestion('jane.roe@acme.com'));
    expect(phoneQuestion('+1 (202) 555-0123')).toEqual(phoneQuestion('+12025550123'));
  });

  it.each([
    ['reverseEmail', 'email', 'm***h@acme.com', 'parts of it are hidden'],
    ['reverseEmail', 'email', 'test@acme.com', 'it is a sample, or stands for a missing value'],
    [
      'reverseEmail',
      'email',
      'email_not_unlocked@domain.com',
      'it is a sample, or stands for a missing value',
    ],
    ['reverseEmail', 'email', 'accueil@acme.com', 'several people may read this mailbox'],
    ['reversePhone', 'phone', '+10000000000', 'it is a sample, or stands for a missing value'],
    ['reversePhone', 'phone', '+44 20 **** 1234', 'parts of it are hidden'],
    ['personProfile', 'network_url', 'linkedin.com/in/me', 'it is a sample, or stands for a missing value'],
    ['companyProfile', 'domain', 'yourdomain.com', 'it is a sample, or stands for a missing value'],
    ['lookUpPerson', 'last_name', 'null', 'it is a sample, or stands for a missing value'],
    ['lookUpPerson', 'first_name', 'S***h', 'parts of it are hidden'],
  ] as const)('%s refuses %s %s, which identifies nobody', (operation, name, value, why) => {
    const person = { company_domain: 'acme.com', first_name: 'Jane', last_name: 'Roe' };
    const given = { ...(operation === 'lookUpPerson' && person), [name]: value };
    expect(() => lookupQuestion(operation, given)).toThrow(
      expect.objectContaining({ code: 'identifies-nobody', params: { option: name, why } }),
    );
  });
});
