import { type ChildProcess, fork } from 'node:child_process';
import type { Question } from '#shared/questions';
import type { Report, WorkerSettings } from './messages.ts';

export type Ended = Extract<Report, { kind: 'ended' }>;

/** A worker process, seen from outside. */
export interface Worker {
  /** How its questions ended so far, in the order in which they ended. */
  readonly ended: readonly Ended[];
  readonly killed: () => boolean;
  /** Resolves when it has asked everything, or has been killed. @throws Error when it fell over by itself */
  work(questions: readonly Question[]): Promise<void>;
  /** At once, in the middle of whatever it does: no handler of its own runs. */
  kill(): void;
}

/** Starts a worker process. Resolves when it is ready to ask. */
export async function startWorker(settings: WorkerSettings): Promise<Worker> {
  const child = fork(new URL('./worker.ts', import.meta.url), [JSON.stringify(settings)], { execArgv: [] });
  const ended: Ended[] = [];
  const ready = Promise.withResolvers<void>();
  child.on('message', (report: Report) => {
    if (report.kind === 'ready') ready.resolve();
    if (report.kind === 'ended') ended.push(report);
  });
  const over = endOf(child);
  await Promise.race([ready.promise, over]);
  return {
    ended,
    killed: () => child.signalCode === 'SIGKILL',
    work: (questions) => {
      child.send([...questions]);
      return over;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve();
      else reject(new Error(`A worker ended with code ${code}.`));
    });
  });
}
