import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { actionsOf } from './permissions.ts';
import { startRecorder } from './recorder.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';

const PATHS = ['', '.csv', '/charges', '/charges.csv', '/waiting'];

/** Checks the spend page of the stack, in a process of its own as a person starts it. */
export async function checkPage(checklist: Checklist, scene: Scene): Promise<void> {
  await checklist.check(
    "page --stack shows the figures of spend with its documented policy's calls (not played: refusals by IAM)",
    async () => {
      const recorder = await startRecorder(Number(scene.workshop.env['GATEWAY_PORT']));
      const page = await openPage(scene, recorder.url);
      for (const path of PATHS) {
        const { status } = await fetch(`${page.url}${path}`);
        same(`The answer to /spend${path}`, status, 200);
      }
      const statement = await fetch(`${page.url}/statement.csv`);
      const shown = await (await fetch(`${page.url}.json`)).json();
      await page.stop();
      recorder.close();
      const told = await scene.stack.cli('spend');
      // One part alone has bought nothing: there is no statement of an empty ledger.
      same('The answer to the statement', statement.status, told.spentMonthCredits > 0 ? 200 : 404);
      same('The figures', figuresOf(shown), figuresOf(told));
      const actions = [...new Set(recorder.calls.map(({ action }) => action))].sort();
      same('The calls', actions, actionsOf('page-policy.json'));
      return `${told.spentMonthCredits} credits, ${actions.length} actions in ${recorder.calls.length} calls`;
    },
  );
}

/** Takes a report's figures without its times. */
function figuresOf(report: unknown) {
  const { spentMonthCredits, yields, budgets } = Object(report);
  return { spentMonthCredits, yields, budgets };
}

async function openPage({ workshop }: Scene, awsUrl: string) {
  const { processes, env } = workshop;
  const main = join(PROJECT_ROOT, 'infra/cli/main.ts');
  const child = processes.start([process.execPath, main, 'page', '--stack', STACK, '--json'], {
    cwd: PROJECT_ROOT,
    env: { ...env, AWS_ENDPOINT_URL: awsUrl },
  });
  const closed = once(child, 'close');
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let printed = '';
  for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
    printed += text;
    if (printed.endsWith('}\n')) break;
  }
  holds(printed.endsWith('}\n'), `The page did not start: ${said.trim()}`);
  return {
    url: String(JSON.parse(printed).url),
    /** Ends the page as Ctrl-C does. */
    stop: async () => {
      child.kill('SIGINT');
      const [code] = await closed;
      same('The exit code of the page', code, 0);
    },
  };
}
