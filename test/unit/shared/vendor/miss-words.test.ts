import { expect, it } from 'vitest';
import { plainWordsOf } from '#inside/vendor/data-service/miss-words.ts';

it.each([
  ['No record matched your query', 'No record matched your query'],
  ['No person found for jane.roe@acme.example.', 'No person found for …'],
  ['Jane Roe (Acme Ltd.) does not exist', '… does not exist'],
  ['No profile for https://pages.example/in/jane-roe in our database', 'No profile for … in our database'],
  ['Phone +49 30 1234567 not found', 'Phone … not found'],
  ['not found '.repeat(20), 'not found '.repeat(6)],
  ['找不到', '…'],
  ['', ''],
])('of %j only plain words are kept', (text, words) => {
  expect(plainWordsOf(text)).toBe(words);
});
