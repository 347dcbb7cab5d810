import { expect, it } from 'vitest';
import { ARGUMENT_REFUSALS } from '../../../../infra/cli/terminal/refusals.ts';
import { catalogueFaults } from '../../../harness/catalogue.ts';

it('every refusal of an argument is a sentence', () => {
  expect(catalogueFaults(ARGUMENT_REFUSALS)).toEqual([]);
});
