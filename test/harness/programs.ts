import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly pid: number;
  /** Resolves with the first matching line of its output or messages, including past ones. */
  line(pattern: RegExp): Promise<string>;
  /** Ends it like a power failure. */
  kill(): Promise<Ended>;
  /** Ends it like Ctrl-C, or by another signal. */
  interrupt(signal?: NodeJS.Signals): Promise<Ended>;
  /** Ends it as a terminal that is closed does. */
  hangUp(): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** Starts programs of this project as a user does, with only the given environment. */
export function createPrograms() {
  const running = new Set<Running>();
  const start = (program: string, args: readonly string[], env: Environment): Running => {
    const started = startProgram(program, args, env);
    running.add(started);
    started.ended.finally(() => running.delete(started));
    return started;
  };
  return {
    /** `npm start -- ...` */
    npmStart: (args: readonly string[], env: Environment) => start('infra/local/main.ts', args, env),
    /** `npm run sandbox -- ...` */
    sandbox: (args: readonly string[]) => start('infra/sandbox/main.ts', args, {}),
    /** `npm run cli -- ...`, until it ends. */
    cli: (args: readonly string[], env: Environment) => start('infra/cli/main.ts', args, env).ended,
    endAll: async () => {
      await Promise.all([...running].map((each) => each.kill()));
    },
  };
}

type Environment = Readonly<Record<string, string>>;

/** @param program path from the project's root. */
export function startProgram(program: string, args: readonly string[], env: Environment): Running {
  // Node then need not compile what another process has compiled.
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
  });
  const text = { out: '', err: '' };
  const ended = Promise.withResolvers<Ended>();
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    text.out += `${line}\n`;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
    for (const look of waiting) look();
  });
  child.once('error', ended.reject);
  child.once('close', (code, signal) => ended.resolve({ code, signal, ...text }));
  const signalled = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended.promise;
  };
  return {
    pid: child.pid ?? 0,
    line: async (pattern) => {
      const found = Promise.withResolvers<string>();
      const look = () => {
        const line = `${text.out}\n${text.err}`.split('\n').find((each) => pattern.test(each));
        if (line !== undefined) found.resolve(line);
      };
      waiting.add(look);
      look();
      const gone = ended.promise.then(({ code, out, err }) => {
        throw new Error(`It ended with ${code} and never wrote ${pattern}.\n${out}\n${err}`);
      });
      return Promise.race([found.promise, gone]).finally(() => waiting.delete(look));
    },
    kill: () => signalled('SIGKILL'),
    interrupt: (signal = 'SIGINT') => signalled(signal),
    hangUp: () => {
      child.kill('SIGHUP');
      child.stderr.destroy();
      return ended.promise;
    },
    ended: ended.promise,
  };
}
