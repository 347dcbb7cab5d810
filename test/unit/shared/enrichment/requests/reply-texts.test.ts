import { expect, it } from 'vitest';
import { REPLY_TEXTS } from '#shared/enrichment';
import { textFaults } from '../../../../builders/catalogue.ts';

it.each(Object.entries(REPLY_TEXTS))('the text of a reply is one short sentence: %s', (_, row) => {
  const text = typeof row === 'string' ? row : row.says(row.example as never);
  expect(textFaults(text)).toEqual([]);
});
