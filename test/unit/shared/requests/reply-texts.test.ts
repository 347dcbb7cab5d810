import { expect, it } from 'vitest';
import { REPLY_TEXTS } from '#shared/requests';
import { catalogueFaults } from '../../../harness/catalogue.ts';

it('the text of each reply is one short sentence', () => {
  expect(catalogueFaults(REPLY_TEXTS)).toEqual([]);
});
