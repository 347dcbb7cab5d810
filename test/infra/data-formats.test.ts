import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../infra/aws/configuration.ts';
import { type DataFormats, dataFormats, refuseOlderFormats } from '../../infra/aws/deploy/data-formats.ts';
import { dataSynthesised } from './synthesised.ts';

const formats = (version: string, raised: DataFormats['raised'] = {}) => ({ version, raised });
const over = (deployed: DataFormats, present: DataFormats) => () =>
  refuseOlderFormats({ DataFormats: JSON.stringify(deployed) }, present);

describe('a deployment over data of a newer version', () => {
  it('is refused before it starts, with both formats and the version to deploy', () => {
    const attempt = over(formats('0.3.0', { 'record state': 2 }), formats('0.2.0'));
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(
      [
        'The data were written by a newer version (0.3.0), which this version (0.2.0) cannot read:',
        '  record state: format 2, here 1',
        'Nothing was changed. Deploy version 0.3.0 or a newer one: see "Roll back a deployment" in docs/operations/runbook.md.',
      ].join('\n'),
    );
  });

  it.each([
    ['the same formats', { 'record state': 2 }, { 'record state': 2 }],
    ['a newer format than that of the data', { 'record state': 2 }, { 'record state': 3 }],
    ['formats that were never raised', {}, {}],
  ])('is no question with %s', (_, deployed, present) => {
    expect(over(formats('0.3.0', deployed), formats('0.2.0', present))).not.toThrow();
  });

  it('is no question without a stack, or where the stack says nothing', () => {
    expect(() => refuseOlderFormats(undefined)).not.toThrow();
    expect(() => refuseOlderFormats({})).not.toThrow();
  });
});

it('the data stack says the formats that its functions write', () => {
  const [output] = Object.values(dataSynthesised().findOutputs('DataFormats'));
  expect(JSON.parse(String(output?.['Value']))).toEqual(dataFormats());
});
