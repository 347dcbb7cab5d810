import { type App, openApp } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import { createUndiciSend } from '#shared/http/adapters';
import {
  systemClock as clock,
  createDigest,
  createJsonLogger,
  systemIds as newId,
  systemRandom as random,
} from '#shared/kernel/adapters';
import { type AskResult, type Question, timeToAnswerMs } from '#shared/questions';
import type { Report, WorkerSettings } from './messages.ts';
import { connectStore } from './open-tables.ts';

/** A worker as on Lambda, in a process of its own: everything that it shares with others is behind HTTP. */
const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '');
const { gateway } = composed(settings);
process.on('message', (questions: readonly Question[]) => void work(questions));
tell({ kind: 'ready' });

function composed({ installationSecret, requestTimeoutMs, ...given }: WorkerSettings): App {
  const policy = parsePolicy({ budgets: { perDay: given.budgetPerDay } });
  return openApp({
    store: connectStore(given.store, policy),
    digest: createDigest(installationSecret),
    policy,
    dataService: { baseUrl: given.dataServiceUrl, apiKey: 'sandbox-key' },
    hubSpot: { accessToken: 'none' },
    send: createUndiciSend({ clock, connectTimeoutMs: 5_000 }).send,
    clock,
    random,
    newId,
    logger: createJsonLogger(clock),
    requestTimeoutMs,
  });
}

async function work(questions: readonly Question[]): Promise<void> {
  const waiting = questions.entries();
  await Promise.all(Array.from({ length: settings.concurrency }, () => askAll(waiting)));
  tell({ kind: 'done' });
  process.disconnect();
}

async function askAll(waiting: Iterable<[number, Question]>): Promise<void> {
  for (const [index, question] of waiting) {
    const notAfterMs = clock.now() + settings.patienceMs + timeToAnswerMs(settings);
    const result = await gateway.ask({ question, purpose: 'live', notAfterMs });
    const credits = 'credits' in result ? result.credits : 0;
    tell({ kind: 'ended', index, outcome: result.kind, reason: reasonOf(result), credits });
  }
}

function reasonOf(result: AskResult): string {
  return result.kind === 'waiting' ? result.reason : result.kind;
}

function tell(report: Report): void {
  process.send?.(report);
}
