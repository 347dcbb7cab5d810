import { expect, it } from 'vitest';
import { REFUSALS, type RefusalCode, refusal } from '../../../../infra/cli/terminal/refusals.ts';
import { textFaults } from '../../../builders/catalogue.ts';

it('every refusal of an argument is a sentence', () => {
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
    const { message, params } = refusal(code, REFUSALS[code].example as never);
    expect(textFaults(message), code).toEqual([]);
    expect(params).toHaveProperty('option');
  }
});
