import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../builders/programs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enrichment-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startProgram('infra/local/main.ts', args, { DATA_DIR: folder, ...env }).ended;
}

describe('a setting that is wrong ends it with a sentence that names it', () => {
  const real = {
    DATA_SERVICE_BASE_URL: 'http://127.0.0.1:9',
    DATA_SERVICE_API_KEY: 'swordfish',
    HUBSPOT_ACCESS_TOKEN: 'swordfish',
    HUBSPOT_CLIENT_SECRET: 'swordfish',
  };
  it.each<[string, Readonly<Record<string, string>>]>([
    ['CREDITS_PER_DAY', real],
    ['HUBSPOT_CLIENT_SECRET', { ...real, HUBSPOT_CLIENT_SECRET: '' }],
    ['PORT', { PORT: 'eighty' }],
  ])('%s', async (name, env) => {
    const { code, out, err } = await run(['--once'], env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n').length).toBe(1);
    expect(err).toContain(name);
    expect(err).not.toContain('swordfish');
  });

  it.each([[['--once', '--fresh']], [['--month', '--once', '--fresh']]])(
    'a property of the policy that the stand-in lacks, before anything is spent: %j',
    async (args) => {
      const file = join(folder, 'lacking.mjs');
      const fields = `{ contacts: { no_such_property: { from: 'seniority', convert: 'text', write: 'ours' } } }`;
      await writeFile(file, `export default { budgets: { perDay: 100 }, fields: ${fields} };`);
      const env = { POLICY: file, DATA_DIR: join(folder, 'lacking') };
      const { code, out, err } = await run(args, env);
      expect({ code, credits: out.match(/credit/) }).toEqual({ code: 1, credits: null });
      expect(err).toContain('The policy writes no_such_property of contacts, which the HubSpot stand-in');
      expect(err).toContain(file);
      expect(err.trim().split('\n').length).toBe(1);
    },
  );

  it('PORT, where somebody else has it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await run(['--once'], { PORT: String(port) });
    other.close();
    expect({ code, err }).toEqual({ code: 1, err: `PORT ${port} is in use: choose another, or set none.\n` });
  });
});
