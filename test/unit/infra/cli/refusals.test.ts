import { expect, it } from 'vitest';
import {
  ARGUMENT_REFUSALS,
  argumentRefusal,
  type RefusalCode,
} from '../../../../infra/cli/terminal/refusals.ts';
import { textFaults } from '../../../builders/catalogue.ts';

it('every refusal of an argument is a sentence', () => {
  for (const code of Object.keys(ARGUMENT_REFUSALS) as RefusalCode[]) {
    const { message, params } = argumentRefusal(code, ARGUMENT_REFUSALS[code].example as never);
    expect(textFaults(message), code).toEqual([]);
    expect(params).toHaveProperty('option');
  }
});
