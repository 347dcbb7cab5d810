import { describe, expect, it } from 'vitest';
import { FORMAT } from '#shared/store';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { dataFormat, refuseOtherFormat } from '../../../infra/aws/deploy/installed.ts';
import { dataSynthesised } from './synthesised.ts';

const over = (deployed: object) => () => refuseOtherFormat({ DataFormats: JSON.stringify(deployed) });

describe('a deployment over data of another version', () => {
  it.each([
    ['a newer format', { version: '9.9.9', format: FORMAT + 1 }, 'newer-data'],
    ['an older format', { version: '0.2.9', format: FORMAT - 1 }, 'older-data'],
    ['the formats of version 0.2', { version: '0.2.0', raised: {} }, 'older-data'],
  ] as const)('is refused with %s and its version', (_, deployed, code) => {
    expect(over(deployed)).toThrow(new ConfigurationError(code, { version: deployed.version }));
  });

  it('goes on with the same format, without a stack, and where the stack says nothing', () => {
    expect(over({ version: '9.9.9', format: FORMAT })).not.toThrow();
    expect(() => refuseOtherFormat(undefined)).not.toThrow();
    expect(() => refuseOtherFormat({})).not.toThrow();
  });
});

it('the data stack says the format that its functions write', () => {
  const [output] = Object.values(dataSynthesised().findOutputs('DataFormats'));
  expect(JSON.parse(String(output?.['Value']))).toEqual(dataFormat());
});
