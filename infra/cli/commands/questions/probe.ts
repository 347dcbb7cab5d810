import { registrableDomain } from '#shared/identity';
import { command, counted, wording } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { priceOfQuestion, type VendorFindings, vendorFindingsKind } from '#shared/questions';
import { change } from '#shared/versioned-items';
import about from '../../../../package.json' with { type: 'json' };
import { adviceOf, findingLines } from '../../../local/doctor/findings-check.ts';
import { DATA_SERVICE_ASSUMPTIONS } from '../../../local/rehearsal/data-service-assumptions.ts';
import { probeObservations } from '../../../local/rehearsal/probe-observations.ts';
import { assumptionReport, reportLines } from '../../../local/rehearsal/report.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withWait } from './ask-options.ts';
import { createAsker } from './asker.ts';
import { budgetLeft } from './price-line.ts';
import { affordableSteps, type ProbeStep, probeSteps } from './probe-steps.ts';

type ProbeOptions = CommandOptions &
  WaitOptions & {
    readonly maxCredits?: number;
    readonly domain?: string;
    readonly missCharged?: number;
    readonly emptySearchCharged?: number;
  };

/** `probe`: tests, by a few lookups, behaviour that the data service's documentation leaves open. */
export function addProbe(program: SheetCommand): void {
  withWait(program.command('probe'))
    .description('find out how the data service charges and answers, with at most four lookups')
    .option('--max-credits <n>', 'highest cost; 4 credits are enough', wholeNumber(1))
    .option('--domain <domain>', 'domain of a company that the data service knows, such as your own')
    .option(
      '--miss-charged <n>',
      'credits that its usage list shows for the person; no lookup',
      wholeNumber(0),
    )
    .option(
      '--empty-search-charged <n>',
      'credits that the usage list shows for the search without results',
      wholeNumber(0),
    )
    .yes('agree to the price beforehand')
    .example('--max-credits 5 --domain acme.example')
    .sheet(probe);
}

async function probe(run: CommandRun, options: ProbeOptions): Promise<Sheet> {
  const { maxCredits, missCharged, emptySearchCharged } = options;
  const isNoted = missCharged !== undefined || emptySearchCharged !== undefined;
  if ((maxCredits === undefined) === !isNoted)
    throw usageError(
      'Give --max-credits to run lookups, or --miss-charged and --empty-search-charged to record prices.',
    );
  const startedAtMs = clock.now();
  // In a first real run no command has begun the books before.
  const connection = await run.connect({ beginsBooks: maxCredits !== undefined });
  const { findings, spentCredits } =
    maxCredits === undefined
      ? { findings: await recordPrices(connection, options), spentCredits: 0 }
      : await ask(run, connection, { ...options, maxCredits });
  const advice = adviceOf(findings, connection);
  const report = assumptionReport({
    about: 'data-service',
    isReal: connection.isReal,
    versions: { project: about.version, node: process.version },
    startedAtMs,
    endedAtMs: clock.now(),
    assumptions: DATA_SERVICE_ASSUMPTIONS,
    observations: probeObservations(findings, connection.policy),
  });
  return {
    json: { ...report, findings, advice, credits: spentCredits },
    body: [
      ...reportLines(report),
      ...findingLines(findings),
      ...advice.map((line) => `  -> ${line}`),
      `Booked: ${counted(spentCredits, 'credit')}.`,
    ],
  };
}

async function ask(
  run: CommandRun,
  connection: Connection,
  { maxCredits, domain: given, wait }: ProbeOptions & { maxCredits: number },
): Promise<{ findings: VendorFindings; spentCredits: number }> {
  const domain = given === undefined ? undefined : registrableDomain(given);
  if (given !== undefined && domain === undefined) throw usageError(`--domain: "${given}" is not a domain.`);
  const steps = affordableSteps(
    probeSteps({ unusedWord: connection.newId().replaceAll('-', ''), domain }),
    maxCredits,
  );
  await run.agree(await priceLine(connection, steps));
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf({ wait }) });
  let found: Partial<VendorFindings> = {};
  let spentCredits = 0;
  for (const { about: subject, question, learn } of steps) {
    run.say(`looking up ${subject}`);
    const answer = await asker.ask(question, maxCredits - spentCredits);
    spentCredits += answer.credits;
    found = { ...found, ...learn(answer) };
    // Findings are stored after each step, so that they are kept if the next step fails.
    await storeFindings(connection, found);
  }
  return { findings: await storeFindings(connection, found), spentCredits };
}

async function priceLine(connection: Connection, steps: readonly ProbeStep[]): Promise<string> {
  const most = steps.reduce((sum, { question }) => sum + priceOfQuestion(question), 0);
  const left = await budgetLeft(connection, 'manual');
  return `Probe, ${counted(steps.length, 'question')}: at most ${counted(most, 'credit')}, ${left}`;
}

async function storeFindings(
  connection: Connection,
  found: Partial<VendorFindings>,
): Promise<VendorFindings> {
  const host = new URL(connection.dataService.baseUrl).host;
  const seen = connection.serverClocks().find((server) => server.host === host);
  const { miss } = found;
  return store(connection, (known) => ({
    ...known,
    ...found,
    ...(miss && { miss: { ...miss, ...(seen?.notFound && { words: seen.notFound }) } }),
    rateHeaders: seen?.rateHeaders ?? known?.rateHeaders ?? {},
    probedAtMs: clock.now(),
  }));
}

/** Stores prices that a person read in the usage list, because answers contain no price. */
async function recordPrices(
  connection: Connection,
  { missCharged, emptySearchCharged }: ProbeOptions,
): Promise<VendorFindings> {
  return store(connection, (known) => {
    if (!known) {
      const message = wording`No probe was made yet. To make one: ${command('probe --max-credits 5')}`;
      throw new CliError(message, { exit: EXIT.notFound, code: 'not-probed' });
    }
    return {
      ...known,
      ...(missCharged !== undefined && { miss: { ...known.miss, chargedCredits: missCharged } }),
      ...(emptySearchCharged !== undefined && {
        emptySearch: { results: 0, ...known.emptySearch, chargedCredits: emptySearchCharged },
      }),
    };
  });
}

async function store(
  { services }: Connection,
  next: (known: VendorFindings | undefined) => VendorFindings,
): Promise<VendorFindings> {
  const place = { key: vendorFindingsKind.key(), kind: 'vendor findings', clock };
  const { value } = await change(services.findings, place, (known) => ({ value: next(known) }));
  return value;
}
