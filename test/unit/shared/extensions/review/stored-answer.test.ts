import { expect, it } from 'vitest';
import { answerOfFinding } from '#inside/extensions/review/accept.ts';
import { MINUTE_MS } from '#shared/kernel';
import { questionKey } from '#shared/questions';
import { human, keysOf, personRecord, questionsAbout } from '../../privacy/people.ts';
import { openShelf } from '../../privacy/shelf.ts';
import { digest, found } from '../../questions/asking.ts';

const WHO = human(0);

it('a finding has no answer once its person is on the suppression list, though the answer is still stored', async () => {
  const shelf = openShelf([found(personRecord(WHO, ['email']))]);
  const question = questionsAbout(WHO).url;
  await shelf.ask(question);
  const { forgetting } = shelf;
  const item = await shelf.item(question);
  const answer = {
    questionKey: questionKey(question, digest),
    operation: question.operation,
    askedAtMs: item?.answer?.askedAtMs ?? 0,
  };
  const read = () => answerOfFinding({ forgetting, clock: forgetting.clock }, answer);
  expect(await read()).toMatchObject({ record: { email: WHO.email } });
  await forgetting.suppressionList.add(keysOf({ emails: [WHO.email] }).sure);
  // A reader may know the list as it was half a minute ago.
  await shelf.clock.advance(MINUTE_MS);
  expect(await read()).toBeUndefined();
});
