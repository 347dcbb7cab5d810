import { type Checklist, holds, same } from './checklist.ts';
import { invoke } from './lambda.ts';
import type { Scene } from './scene.ts';
import { ledgerEqualsBill } from './webhooks.ts';

/** Checks the operator's views of the deployed system: the console and the command line. */
export async function checkOperatorsView(checklist: Checklist, scene: Scene): Promise<void> {
  await checkSpend(checklist, scene);
  await checklist.check('the command line verifies the ledger of the stack', () => ledgerEqualsBill(scene));
  await checkDoctor(checklist, scene);
}

/** Compares the spend that the system shows with the bill. Needs no network beyond AWS. */
export async function checkSpend(
  checklist: Checklist,
  { stack, standIns }: Pick<Scene, 'stack' | 'standIns'>,
): Promise<void> {
  await checklist.check('report-spend draws its widget for the dashboard', async () => {
    const html = await invoke(await stack.output('ReportSpendFunction'), {
      widgetContext: { theme: 'dark' },
    });
    holds(typeof html === 'string', 'The widget is no text.');
    for (const part of ['cwdb-no-default-styles', 'Budgets'])
      holds(html.includes(part), `The widget has no "${part}": ${html.slice(0, 300)}`);
    const words = html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ');
    const charged = String(standIns.charged());
    holds(new RegExp(`\\b${charged}\\b`).test(words), `The widget does not show ${charged} credits.`);
    const help = await invoke(await stack.output('ReportSpendFunction'), { describe: true });
    holds(typeof help === 'string' && help.startsWith('### '), 'The widget does not describe itself.');
    return `${charged} credits`;
  });
  await checklist.check('the command line tells the spend of the stack', async () => {
    const { spentMonthCredits, pendingCredits, openDoubts } = await stack.cli('spend');
    const wanted = { spentMonthCredits: standIns.charged(), pendingCredits: 0, openDoubts: [] };
    same('The spend', { spentMonthCredits, pendingCredits, openDoubts }, wanted);
    return `${spentMonthCredits} credits this month`;
  });
}

async function checkDoctor(checklist: Checklist, { stack }: Scene): Promise<void> {
  await checklist.check('the doctor finds nothing in the way', async () => {
    const { ok, checks }: { ok: boolean; checks: { name: string; verdict: string; seen: string }[] } =
      await stack.cli('doctor');
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    holds(ok && failed.length === 0, `The doctor found: ${JSON.stringify(failed)}`);
    const webhook = checks.find(({ name }) => name === 'webhook target');
    same('What it says of the webhook', webhook?.verdict, 'ok');
    return `${checks.length} checks`;
  });
}
