import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#shared/kernel';
import { createPrograms, type Running } from '../../harness/programs.ts';
import { freePort, startServices } from '../stories/services.ts';
import { openCountingProxy } from './counting-proxy.ts';

const CUT_SHARE = 0.02;
/** Longer than the laptop's sweep interval. */
const QUIET_MS = 18_000;
const PATIENCE_MS = 240_000;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Starts both stand-ins on ports, with the proxy before the paid one. Starts and kills the system. */
export async function openStage({
  random,
  creditsPerDay,
  cutShare = CUT_SHARE,
  latencyMs = 300,
}: {
  random: Random;
  creditsPerDay: number;
  cutShare?: number;
  latencyMs?: number;
}) {
  const programs = createPrograms();
  const services = await startServices(programs);
  const proxy = await openCountingProxy({ target: services.dataService, isCut: () => random() < cutShare });
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
  const webhookUrl = `http://127.0.0.1:${await freePort()}/hubspot`;
  await services.setHubSpot({ webhookUrl, webhookDelayMs: 0, webhookRetryScale: 0.001 });
  // Faster than the real one, so that more happens in two minutes.
  await services.setDataService({ latencyMs, rateLimitPerMinute: 300 });
  const env = {
    ...services.env,
    DATA_SERVICE_BASE_URL: proxy.url,
    CREDITS_PER_DAY: String(creditsPerDay),
    DATA_DIR: folder,
    WEBHOOK_PUBLIC_URL: webhookUrl,
    PORT: new URL(webhookUrl).port,
  };
  /** @throws Error if the command fails. */
  const cli = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await programs.cli(words, env);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${out}${err}`);
    return out;
  };
  return {
    creditsPerDay,
    services,
    proxy,
    cli,
    spawn: (): Running => programs.npmStart([], env),
    start: async (): Promise<Running> => {
      const system = programs.npmStart([], env);
      await system.line(/^Serving/);
      return system;
    },
    /** Resolves when there was no request for a while and no message is left. */
    quiet: async (): Promise<void> => {
      const untilMs = performance.now() + PATIENCE_MS;
      for (let seen = -1; performance.now() < untilMs; ) {
        const isSilent = seen === proxy.answers.length && proxy.underWay() === 0;
        seen = proxy.answers.length;
        const { queues } = JSON.parse(await cli('queue', 'status', '--json')) as { queues: Queue[] };
        if (isSilent && queues.every(({ waiting, inHand }) => waiting + inHand === 0)) return;
        await sleep(QUIET_MS);
      }
      throw new Error(`It is not quiet after ${PATIENCE_MS / 1_000} s.`);
    },
    close: async () => {
      await programs.endAll();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Queue {
  readonly waiting: number;
  readonly inHand: number;
}
