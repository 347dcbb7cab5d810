import { parseArgs } from 'node:util';
import { fuzzQueue } from './queue-messages.ts';
import { fuzzReceiver } from './receiver.ts';
import { fuzzServer } from './server.ts';

/**
 * `node test/tools/fuzz/main.ts --runs 1000000 --seed 1`, or FUZZ_RUNS for the number of inputs: half for receiver and
 * queue each, and a hundredth as many for what HubSpot shows, which keeps state.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: process.env['FUZZ_RUNS'] ?? '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const [runs, seed] = [values.runs, values.seed].map(Number);
if (!Number.isInteger(runs) || !Number.isInteger(seed) || !runs || seed === undefined || runs < 2)
  throw new Error('--runs and --seed are whole numbers.');

let broken = false;
for (const { name, fuzz, share } of [
  { name: 'receiver', fuzz: fuzzReceiver, share: 0.5 },
  { name: 'queue', fuzz: fuzzQueue, share: 0.5 },
  { name: 'card and action', fuzz: fuzzServer, share: 0.01 },
]) {
  const startedAt = performance.now();
  const { counts, problems } = await fuzz({ seed, runs: Math.ceil(runs * share) });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${name}: ${JSON.stringify(counts)} in ${seconds} s`);
  for (const problem of problems) console.log(`BROKEN seed ${seed}, ${problem}`);
  broken ||= problems.length > 0;
}
process.exitCode = broken ? 1 : 0;
