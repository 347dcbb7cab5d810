import './localhost-names.ts';
import { readFileSync } from 'node:fs';
import { checkBackfill, createOldContacts } from './backfill.ts';
import { checkBirth, checkKeysLater } from './birth.ts';
import { type Checklist, createChecklist, Ended } from './checklist.ts';
import { checkDeadLetters } from './dead-letters.ts';
import { checkDeployments, checkRollBack, checkSwitchBack } from './deployments.ts';
import { checkHalfWay, checkSecondInstallation } from './half-way.ts';
import { checkKeeping, checkTheEnd } from './keeping.ts';
import { checkKeysApart, checkSecrecy } from './keys.ts';
import { freePort, installMinistack, NotInstalled, startMinistack } from './ministack.ts';
import { checkOperatorsView } from './operator.ts';
import { checkPage } from './page.ts';
import { checkPermissions } from './permissions.ts';
import { testReal } from './real.ts';
import { checkReal } from './real-runs.ts';
import { checkRunbook } from './runbook.ts';
import type { Scene } from './scene.ts';
import { checkGrowingStale, checkSchedules } from './schedules.ts';
import { createStack } from './stack.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';
import { checkSignatures, checkWebhooks } from './webhooks.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/**
 * Deploys the whole stack with the CDK's command line into a stand-in for AWS. It runs the functions' real bundles,
 * between stand-ins of the two services. Only pip needs a network.
 */
async function main(): Promise<boolean> {
  const port = await freePort();
  const workshop = openWorkshop({ port });
  // This process calls the stand-in with the same settings as its commands.
  for (const name of Object.keys(process.env)) if (!(name in workshop.env)) delete process.env[name];
  Object.assign(process.env, workshop.env);
  console.log('Installing MiniStack, a stand-in for AWS, into a folder of this run.');
  const command = await installMinistack(workshop);
  const standIns = await startStandIns();
  const checklist = createChecklist(console.log, () => showLog(workshop, standIns));
  let unforeseen = 0;
  try {
    await startMinistack(workshop, { command, port });
    await checkAll(checklist, { workshop, standIns });
  } catch (error) {
    if (!(error instanceof Ended)) unforeseen = 1;
    console.log(error instanceof Ended ? error.message : error);
  }
  await workshop.processes.endAll();
  const { passed } = checklist.counts;
  const failed = checklist.counts.failed + unforeseen;
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0;
}

async function checkAll(
  checklist: Checklist,
  { workshop, standIns }: { workshop: Workshop; standIns: StandIns },
): Promise<void> {
  // It wants an empty account: npm run test:aws -- real
  if (process.argv.includes('real')) return checkReal(checklist, workshop);
  const stack = createStack(workshop, standIns);
  const scene: Scene = { workshop, standIns, stack };
  const old = await createOldContacts(scene);
  await checkBirth(checklist, scene);
  await checkKeysLater(checklist, scene);
  await checklist.check('the command line creates our properties in HubSpot', async () => {
    const { contacts, companies } = await stack.cli('setup');
    return `${contacts.created.length} on contacts, ${companies.created.length} on companies`;
  });
  await standIns.portal.change({ webhookUrl: await stack.output('WebhookUrl') });
  // One part alone: npm run test:aws -- core
  if (process.argv.includes('core')) return checkCore(checklist, scene);
  if (process.argv.includes('day-two')) return checkDayTwo(checklist, scene);
  await checkWebhooks(checklist, scene);
  const unannounced = await checkSignatures(checklist, scene);
  await checkDeadLetters(checklist, scene);
  const stale = await checkGrowingStale(checklist, scene);
  await checkKeysApart(checklist, scene);
  await checkDeployments(checklist, scene);
  await checkSchedules(checklist, { ...scene, unannounced, stale });
  await checkBackfill(checklist, { ...scene, old });
  await checkOperatorsView(checklist, scene);
  await checkRunbook(checklist, scene);
  await checkSecrecy(checklist, scene);
  await checkKeeping(checklist, scene);
  await checkDayTwo(checklist, scene);
}

/** For each commit: records are enriched and accounted for, with the permissions of the stack, until its removal. */
async function checkCore(checklist: Checklist, scene: Scene): Promise<void> {
  await checkWebhooks(checklist, scene);
  await checkSignatures(checklist, scene);
  await checkOperatorsView(checklist, scene);
  await checkPermissions(checklist, scene);
  await checkSecrecy(checklist, scene);
  await checkTheEnd(checklist, scene);
}

/** An operator's later tasks: a second installation, an older version over newer data, the removal. */
async function checkDayTwo(checklist: Checklist, scene: Scene): Promise<void> {
  await checkPage(checklist, scene);
  await checkPermissions(checklist, scene);
  await checkSwitchBack(checklist, scene);
  await checkSecondInstallation(checklist, scene);
  await checkHalfWay(checklist, scene);
  await checkRollBack(checklist, scene);
  await checkTheEnd(checklist, scene);
}

const LOG_LINES = 8;

/** Last log lines of the stand-in for AWS, without metrics and keys. */
function showLog({ logFile }: Workshop, { keys }: StandIns): void {
  let text = readFileSync(logFile, 'utf8');
  for (const key of Object.values(keys)) text = text.replaceAll(key, '(key)');
  const telling = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{"_aws"'));
  const lines = telling.slice(-LOG_LINES);
  console.log(lines.map((line) => `        | ${line.slice(0, 400)}`).join('\n'));
}

if (process.argv.includes('--real')) process.exit(await testReal(process.argv.slice(2)));
try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(error instanceof NotInstalled ? error.message : error);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
