import { describe, expect, it } from 'vitest';
import { WAITING_WORDS } from '#inside/records/status-words.ts';
import { STOP_SENTENCES } from '#shared/questions';
import { EXPLANATION_TEXTS, waitingWords } from '#shared/records';
import { catalogueFaults, sentenceFaults } from '../../../harness/catalogue.ts';

describe('the catalogue of explanations', () => {
  it('makes one sentence for each code', () => {
    expect(catalogueFaults(EXPLANATION_TEXTS)).toEqual([]);
  });
});

describe('the catalogue of outcomes, waits and stops', () => {
  it.each(Object.entries(STOP_SENTENCES))('says what to do about the stop %s', (reason, why) => {
    const words = waitingWords(reason, 'crm');
    expect(words.why).toBe(why);
    expect(words.toDo).not.toBe('');
  });

  it('says of each wait and stop in short sentences why, and what to do', () => {
    for (const reason of WAITING_WORDS.keys()) {
      const { why, toDo } = waitingWords(reason, 'crm');
      expect([why, toDo].flatMap(sentenceFaults), reason).toEqual([]);
    }
  });
});
