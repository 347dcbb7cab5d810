import { type ChildProcess, spawn } from 'node:child_process';

export interface Ran {
  readonly code: number | null;
  /** Output of both channels. */
  readonly output: string;
  /** Standard output only: the results. */
  readonly results: string;
}

/** Starts the test's processes in groups. None outlives the test. */
export interface Processes {
  /** Starts a process that runs in the background. */
  start(command: readonly [string, ...string[]], options: Surroundings): ChildProcess;
  /** Runs a process until it ends, with any result. */
  run(command: readonly [string, ...string[]], options: Surroundings): Promise<Ran>;
  /** Ends all running processes at once, and waits until they are gone. */
  endAll(): Promise<void>;
  /** The same without waiting, for an exit handler. */
  killAll(): void;
}

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Typed input; no input if absent. */
  readonly input?: string;
  /** Time limit for a slow command. */
  readonly withinMs?: number;
}

/** Default time limit. Hardly any command needs more, unless the machine hangs. */
const TIMEOUT_MS = 300_000;

export function createProcesses(): Processes {
  const running = new Set<ChildProcess>();
  const start: Processes['start'] = ([file, ...args], { input, withinMs: _, ...options }) => {
    const stdin = input === undefined ? 'ignore' : 'pipe';
    // Its own process group, so that its children end with it.
    const child = spawn(file, args, { ...options, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
    child.stdin?.end(input);
    running.add(child);
    return child;
  };
  const killAll = () => {
    for (const child of running) killGroup(child);
  };
  return {
    start,
    killAll,
    endAll: async () => {
      const ending = [...running];
      const gone = ending.map((child) => closed(child));
      killAll();
      await Promise.all(gone);
      // Others may have been started since.
      for (const child of ending) running.delete(child);
    },
    run: async (command, options) => {
      const child = start(command, options);
      const timer = setTimeout(() => killGroup(child), options.withinMs ?? TIMEOUT_MS);
      try {
        return await ended(child);
      } finally {
        clearTimeout(timer);
        running.delete(child);
      }
    },
  };
}

async function ended(child: ChildProcess): Promise<Ran> {
  let [output, results] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    results += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await closed(child);
  return { code, output, results };
}

/** @returns the exit code @throws Error if the file cannot be run */
async function closed(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
