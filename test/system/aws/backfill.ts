import type { RecordName } from '../../harness/hubspot-portal.ts';
import { somePerson } from '../../harness/people.ts';
import { type Checklist, eventually, same } from './checklist.ts';
import { invoke } from './lambda.ts';
import type { Scene } from './scene.ts';
import { ledgerEqualsBill } from './webhooks.ts';

const FROM = 20;
const PEOPLE = 4;

/** Contacts that exist in HubSpot before the first deployment. */
export async function createOldContacts({ standIns }: Scene): Promise<readonly RecordName[]> {
  const old: RecordName[] = [];
  for (let index = FROM; index < FROM + PEOPLE; index += 1) {
    const email = somePerson(standIns, index).job.email ?? '';
    old.push(await standIns.createUnannounced({ email }));
  }
  return old;
}

/** Runs a small backfill on the deployed stack: quote, trial, pause, resume, done. */
export async function checkBackfill(
  checklist: Checklist,
  scene: Scene & { readonly old: readonly RecordName[] },
): Promise<void> {
  const { stack, standIns, old } = scene;
  await checklist.check('a backfill is quoted, paused, resumed and done', async () => {
    const charged = standIns.charged();
    const quote = await stack.cli('backfill', 'quote', '--objects', 'contacts');
    // Records that were enriched under an earlier policy are processed again, at no cost.
    same('The most that it may cost', quote.quote.atMost, old.length);
    same('What it cost', standIns.charged() - charged, 0);
    const { id } = quote;
    await stack.cli('backfill', 'run', id, '--yes');
    same('Paused', (await stack.cli('backfill', 'pause', id)).state, 'paused');
    same('Resumed', (await stack.cli('backfill', 'resume', id)).state, 'trial');
    const sweep = await stack.output('ReconcileFunction');
    const done = await eventually(
      'The end of the backfill',
      async () => {
        await invoke(sweep, { schedule: 'Reconcile' });
        const seen = await stack.cli('backfill', 'status', id);
        return seen.state === 'done' ? { done: seen } : { seen: `${seen.state}, ${seen.ended}` };
      },
      { withinS: 120 },
    );
    same('Its end', done.spent, old.length);
    same('What it cost', standIns.charged() - charged, old.length);
    return ledgerEqualsBill(scene);
  });
}
