import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '#shared/kernel';
import { factsOf, settledFact } from './facts.ts';
import { openStage, type Stage } from './stage.ts';

const RECORDS_FOR_A_KILL = 10;
/** Longest time between a start and the next answer of the data service. */
const PATIENCE_MS = 5_000;

/**
 * `npm run proxy [-- --seconds 120 --seed S]`: runs the system as a user does. Kills it repeatedly while records
 * arrive, and a proxy counts the charges. The budget is a credit for each second, which a long run uses up. Times are
 * real, so a seed repeats the random values but not the run.
 *
 * `--kills 20` kills it that often instead, each time soon after its start and with records waiting. Answers are then
 * fast and uncut, so that few kills leave a doubt: 20 open doubts would stop the work.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  },
});
const [seconds, seed, wanted] = [values.seconds, values.seed, values.kills].map(Number) as [
  number,
  number,
  number,
];
if (!(seconds >= 10) || !Number.isInteger(seed) || !Number.isInteger(wanted))
  throw new Error('--seconds is 10 or more, --seed and --kills are whole numbers.');
console.log(`seed ${seed}`);

const random = seededRandom(seed);
const stage = await openStage(
  wanted > 0
    ? { random, creditsPerDay: wanted * RECORDS_FOR_A_KILL, cutShare: 0, latencyMs: 20 }
    : { random, creditsPerDay: seconds },
);
try {
  const kills = wanted > 0 ? await killSoon(stage, wanted) : await killWhileCreating(stage);
  await createWork(stage, kills);
  const last = await stage.start();
  const servedMs = performance.now();
  const seen = stage.proxy.answers.length;
  while (stage.proxy.answers.length === seen && performance.now() < servedMs + PATIENCE_MS) await sleep(20);
  const workedMs = performance.now() - servedMs;
  await stage.quiet();
  const settled = await settledFact(stage, { created: (kills + 1) * RECORDS_FOR_A_KILL, servedMs });
  await last.interrupt();
  const goesOn = {
    holds: workedMs < PATIENCE_MS,
    told: `records went on ${Math.round(workedMs)} ms after the last start`,
  };
  const facts = [...(await factsOf(stage, kills)), ...(wanted > 0 ? [goesOn, settled] : [])];
  for (const { holds, told } of facts) console.log(`${holds ? 'holds ' : 'BROKEN'} ${told}`);
  const failed = facts.filter(({ holds }) => !holds).length;
  console.log(`${facts.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await stage.close();
}

/**
 * Kills each life between half a second and six seconds after its start. Before, the system is started once: what is
 * older than the installation is not looked up. @returns the number of lives.
 */
async function killSoon(stage: Stage, count: number): Promise<number> {
  const first = await stage.start();
  await first.interrupt();
  for (let kill = 0; kill < count; kill += 1) {
    await createWork(stage, kill);
    const system = stage.spawn();
    await sleep(500 + random() * 5_500);
    await system.kill();
  }
  return count;
}

/** Creates contacts that nobody has asked about, so that each life has work. */
async function createWork({ services }: Stage, life: number): Promise<void> {
  const { domains } = await services.known(400);
  for (let made = 0; made < RECORDS_FOR_A_KILL; made += 1)
    await services.createContact({ email: `new-${life}-${made}@${domains[made % domains.length]}` });
}

async function killWhileCreating(stage: Stage): Promise<number> {
  const untilMs = performance.now() + seconds * 1_000;
  const [kills] = await Promise.all([keepKilling(stage, untilMs), keepCreating(stage, untilMs)]);
  return kills;
}

/** Runs the system for some seconds at a time. Every other life ends during a request. @returns the number of lives. */
async function keepKilling({ start, proxy }: Stage, untilMs: number): Promise<number> {
  let kills = 0;
  while (performance.now() < untilMs) {
    const system = await start();
    await sleep(random() * 10_000);
    const isAwaited = random() < 0.5;
    const lastMs = performance.now() + 3_000;
    while (isAwaited && proxy.underWay() === 0 && performance.now() < lastMs) await sleep(5);
    await system.kill();
    kills += 1;
  }
  return kills;
}

/** Creates contacts of known people, some of them twice, and of unknown ones; sometimes a company. */
async function keepCreating({ services }: Stage, untilMs: number): Promise<void> {
  const { emails, profiles, domains } = await services.known(400);
  const any = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  for (let made = 0; performance.now() < untilMs; made += 1) {
    const kind = random();
    if (kind < 0.4) await services.createContact({ email: any(emails) });
    else if (kind < 0.6) await services.createContact({ hs_linkedin_url: any(profiles) });
    else if (kind < 0.8) await services.createContact({ email: `nobody-${made}@${any(domains)}` });
    else await services.createCompany({ domain: any(domains) });
    await sleep(random() * 800);
  }
}
