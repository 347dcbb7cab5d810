import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../../aws/project-root.ts';
import { makeFolder } from '../../make-folder.ts';
import { StepStopped } from '../account.ts';
import type { OwnStack, ScriptWish } from './aws-stage.ts';
import type { StandInAddresses } from './stand-in-services.ts';

export interface OwnStackPlace {
  readonly name: string;
  readonly services: StandInAddresses | undefined;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Shows the end of a failed command's output at the terminal. The report must not contain it. */
  readonly say: (line: string) => void;
}

const SHOWN_LINES = 15;
/** No DNS name ends with `.invalid` (RFC 6761), so no real service is called. */
const NOWHERE = 'https://stand-in.invalid';
/**
 * Environment variables that the commands do not receive. They hold keys, tokens and alert addresses of real
 * installations.
 */
const FOREIGN = /^(?:HUBSPOT|DATA_SERVICE|ALERT|CREDITS|WEBHOOK)_/;
const IN_CHILD = new URL('./in-child.ts', import.meta.url).href;

/** Runs the commands as a person would. Their processes end when this process ends. */
export function openOwnStack(place: OwnStackPlace): OwnStack {
  const { name, services, dataFolder, say } = place;
  const calls = join(dataFolder, 'rehearsal', `calls-${name}.txt`);
  makeFolder(dirname(calls));
  const own = Object.entries(place.env).filter(([variable]) => !FOREIGN.test(variable));
  const env = {
    ...Object.fromEntries(own),
    ...services?.keys,
    REHEARSAL_CALLS: calls,
    NODE_OPTIONS: `${place.env['NODE_OPTIONS'] ?? ''} --import=${IN_CHILD}`.trim(),
  };
  const node = async (what: string, args: readonly string[], wish: Pick<ScriptWish, 'input' | 'signal'>) => {
    const { code, output, results } = await runToEnd(args, { env, ...wish });
    wish.signal?.throwIfAborted();
    if (code === 0) return { output, results };
    for (const line of output.trimEnd().split('\n').slice(-SHOWN_LINES)) say(`  | ${line}`);
    throw new StepStopped(`${what} ended with code ${code}`);
  };
  const context = [
    `stackName=${name}`,
    `dataServiceBaseUrl=${services?.dataServiceUrl ?? NOWHERE}`,
    `hubSpotBaseUrl=${services?.hubSpotUrl ?? NOWHERE}`,
    ...(services?.appId === undefined ? [] : [`hubSpotAppId=${services.appId}`]),
  ];
  return {
    name,
    script: async (script, { flags = [], settings = [], ...wish } = {}) => {
      const given = [...context, ...settings].flatMap((setting) => ['-c', setting]);
      const file = join(PROJECT_ROOT, `infra/aws/deploy/${script}.ts`);
      return (await node(`npm run ${script}`, [file, ...given, ...flags], wish)).output;
    },
    cli: async (words, signal) => {
      const args = [join(PROJECT_ROOT, 'infra/cli/main.ts'), ...words, '--stack', name, '--json'];
      return JSON.parse((await node(words.join(' '), args, { signal })).results);
    },
    calls: () => {
      const text = readFileSync(calls, { encoding: 'utf8', flag: 'a+' });
      return [...new Set(text.split('\n').filter(Boolean))].sort();
    },
  };
}

/** Deletes the file of recorded calls after the removal, because no later rehearsal continues with it. */
export function forgetCalls(dataFolder: string, name: string): void {
  rmSync(join(dataFolder, 'rehearsal', `calls-${name}.txt`), { force: true });
}

interface Surroundings extends Pick<ScriptWish, 'input' | 'signal'> {
  readonly env: NodeJS.ProcessEnv;
}

async function runToEnd(args: readonly string[], { env, input, signal }: Surroundings) {
  signal?.throwIfAborted();
  // The child has its own process group. So Ctrl-C at the terminal reaches only the rehearsal, which then ends the
  // group.
  const child = spawn(process.execPath, args, { cwd: PROJECT_ROOT, env, detached: true, stdio: 'pipe' });
  let [output, results] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    results += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  // A command that reads no input can have ended already.
  child.stdin.on('error', () => undefined).end(input ?? '');
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, output, results };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
