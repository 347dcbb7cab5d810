import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEPLOYED_WITH_FAULTS, examine } from '../../../infra/aws/deploy/deploy.ts';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';

const said: string[] = [];
vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
afterEach(() => void said.splice(0));

const run = (code: number | null) => vi.fn(async () => code);
const wish = { stackName: 'crm', missing: [], isSkipped: false };

describe('the end of a deployment', () => {
  it('is the verdict of doctor on the stack: 0 if it finds no fault', async () => {
    const doctor = run(0);
    expect(await examine(wish, doctor)).toBe(0);
    expect(doctor).toHaveBeenCalledExactlyOnceWith(join(PROJECT_ROOT, 'infra/cli/main.ts'), [
      'doctor',
      '--stack',
      'crm',
    ]);
  });

  it.each([1, 2, null])(
    'has an exit code of its own if doctor ends with %s, and says that the stack stays',
    async (code) => {
      expect(await examine(wish, run(code))).toBe(DEPLOYED_WITH_FAULTS);
      expect(said.join('\n')).toMatch(/\bcrm\b.*\bdoctor\b/s);
    },
  );

  it.each([{ missing: ['HUBSPOT_ACCESS_TOKEN'] }, { isSkipped: true }])(
    'is unchecked, says so and names the command: %j',
    async (more) => {
      const doctor = run(1);
      expect(await examine({ ...wish, ...more }, doctor)).toBe(0);
      expect(doctor).not.toHaveBeenCalled();
      expect(said.join('\n')).toContain('npm run -s cli -- doctor --stack crm');
    },
  );
});
