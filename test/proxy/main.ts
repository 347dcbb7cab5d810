import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '#shared/kernel';
import { factsOf } from './facts.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * `npm run proxy [-- --seconds 120 --seed S]`: runs the system as a user does. Kills it repeatedly while records
 * arrive, and a proxy counts the charges. The budget is a credit for each second, which a long run uses up. Times are
 * real, so a seed repeats the random values but not the run.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds >= 10) || !Number.isInteger(seed))
  throw new Error('--seconds is 10 or more, --seed a whole number.');
console.log(`seed ${seed}`);

const random = seededRandom(seed);
const stage = await openStage({ random, creditsPerDay: seconds });
try {
  const untilMs = performance.now() + seconds * 1_000;
  const [kills] = await Promise.all([keepKilling(stage, untilMs), keepCreating(stage, untilMs)]);
  const last = await stage.start();
  await stage.quiet();
  await last.interrupt();
  const facts = await factsOf(stage, kills);
  for (const { holds, told } of facts) console.log(`${holds ? 'holds ' : 'BROKEN'} ${told}`);
  const failed = facts.filter(({ holds }) => !holds).length;
  console.log(`${facts.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await stage.close();
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
