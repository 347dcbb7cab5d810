import { expect, it } from 'vitest';
import { csvLine, jsonLine } from '#shared/credit-ledger';
import { MINUTE_MS } from '#shared/kernel';
import { createJsonLogger } from '#shared/kernel/adapters';
import { type Question, questionKey, resolveDoubt } from '#shared/questions';
import { OWNERS } from '#shared/store';
import { declined, digest, FOUND, LOST, NO_MATCH, openGateway } from './asking.ts';

/** Texts by which a person could be known, in every operation that is about one. */
const NEEDLES = ['sample-person', 'sample.person', 'acme', 'zoe', 'fieldstone', '4930901820', 'sample-city'];

const QUESTIONS: readonly Question[] = [
  {
    operation: 'personProfile',
    by: { profileUrl: 'https://people.example/in/sample-person' },
    options: ['email'],
  },
  { operation: 'reverseEmail', by: { email: 'sample.person@acme.example' }, options: [] },
  {
    operation: 'lookUpPerson',
    by: {
      domain: 'acme.example',
      firstName: 'Zoe',
      lastName: 'Fieldstone',
      location: 'Sample-City',
    },
    options: ['phone'],
  },
  { operation: 'reversePhone', by: { phone: '+4930901820' }, options: [] },
  { operation: 'companyProfile', by: { domain: 'acme.example' }, options: ['contacts'] },
  {
    operation: 'searchPeople',
    by: { search: JSON.stringify({ name: 'Zoe Fieldstone', per_page: 5 }) },
    options: [],
  },
];

const RECORD = { name: 'Zoe Fieldstone', email: 'sample.person@acme.example', phone: '+4930901820' };

it('what is stored and told about a question holds nothing of the person: neither item, ledger entry, export, log line nor result of any kind', async () => {
  const answers = [
    { ...FOUND, record: RECORD },
    NO_MATCH,
    LOST,
    declined('bad-request'),
    declined('rate-limited'),
    LOST,
  ];
  const opened = openGateway({ answers });
  const told: string[] = [];
  const logger = createJsonLogger(opened.clock, (line) => told.push(line));
  for (const question of QUESTIONS) {
    const result = await opened.ask(question);
    if (result.kind !== 'found') told.push(JSON.stringify(result));
    const fields = {
      questionKey: questionKey(question, digest),
      operation: question.operation,
      question,
      result,
    };
    logger.info('asked', fields);
  }
  await opened.clock.sleep(30 * MINUTE_MS);
  for (const question of QUESTIONS) {
    const resolution = {
      questionKey: questionKey(question, digest),
      charged: true,
      note: 'seen on the bill',
    };
    told.push(JSON.stringify(await resolveDoubt(opened.services, resolution, { graceMs: 0 })));
  }
  const items = await Promise.all(QUESTIONS.map((question) => opened.item(question)));
  const log = await opened.log();
  const stored = [
    // The answer itself is in the item, until a forgetting removes it.
    ...items.map((item) => JSON.stringify(item, (name, value) => (name === 'packed' ? '' : value))),
    ...log.flatMap((entry) => [JSON.stringify(entry), csvLine(entry, OWNERS), jsonLine(entry)]),
    JSON.stringify(await opened.limiter()),
    JSON.stringify(await opened.services.breakers.read()),
  ];
  expect(items.every((item) => item !== undefined)).toBe(true);
  expect(log.length).toBeGreaterThan(10);
  for (const text of [...stored, ...told])
    for (const needle of NEEDLES) expect(text.toLowerCase()).not.toContain(needle);
});
