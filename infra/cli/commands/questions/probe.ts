import { registrableDomain } from '#shared/identity';
import { command, counted, wording } from '#shared/kernel';
import type { VendorFindings } from '#shared/questions';
import about from '../../../../package.json' with { type: 'json' };
import { adviceOf, findingLines } from '../../../local/doctor/findings-check.ts';
import { DATA_SERVICE_ASSUMPTIONS } from '../../../local/rehearsal/data-service-assumptions.ts';
import { probeObservations } from '../../../local/rehearsal/probe-observations.ts';
import { type AssumptionReport, assumptionReport, reportLines } from '../../../local/rehearsal/report.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT, type ExitCode, errorJson } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, withWait } from './ask-options.ts';
import { askSteps, changeFindings, type Probed } from './ask-steps.ts';
import { creditsInDoubt, inDoubt, sayDoubts } from './probe-doubts.ts';
import { type ProbeStep, probeSteps } from './probe-steps.ts';

type ProbeOptions = CommandOptions &
  WaitOptions & {
    readonly maxCredits?: number;
    readonly domain?: string;
    readonly missCharged?: number;
    readonly emptySearchCharged?: number;
  };

const CODES = `
Exit codes: 0 nothing differs. 1 an assumption differs, or the probe failed.
2 wrong argument or setting. 3 a question is in doubt or was refused. 4 no
probe was made yet. A repeated probe pays only for questions without a
stored answer.`;

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
    .example('--max-credits 4 --domain acme.example')
    .addHelpText('after', CODES)
    .sheet(probe);
}

async function probe(run: CommandRun, options: ProbeOptions): Promise<Sheet> {
  const { maxCredits, missCharged, emptySearchCharged, domain } = options;
  const isNoted = missCharged !== undefined || emptySearchCharged !== undefined;
  if ((maxCredits === undefined) === !isNoted)
    throw argumentRefusal('nothing-to-probe', { option: '--max-credits' });
  run.resumesWith(undefined, { stopped: 'Stopped. No question was sent.' });
  // In a first real run no command has begun the books before.
  const connection = await run.connect({ beginsBooks: maxCredits !== undefined });
  const startedAtMs = connection.clock.now();
  const steps = probeSteps({ inventedWord: inventedWordOf(connection), domain: checkedDomain(domain) });
  const probed =
    maxCredits === undefined
      ? await recordPrices(run, connection, { ...options, steps })
      : await askSteps(run, connection, { ...options, maxCredits, steps });
  return probeSheet(run, connection, { ...probed, startedAtMs });
}

/** Another word for each service, because the store does not know which service gave an answer. */
function inventedWordOf({ services, isReal, dataService: { baseUrl } }: Connection): string {
  const service = isReal ? new URL(baseUrl).host : 'stand-in';
  return services.digest.keyed(`invented for ${service}`).slice(0, INVENTED_CHARS);
}

const INVENTED_CHARS = 16;

function checkedDomain(given: string | undefined): string | undefined {
  const domain = given === undefined ? undefined : registrableDomain(given);
  if (given !== undefined && domain === undefined)
    throw argumentRefusal('not-a-domain', { option: '--domain' });
  return domain;
}

/** Stores prices that a person read in the usage list, because answers contain no price. */
async function recordPrices(
  run: CommandRun,
  connection: Connection,
  { missCharged, emptySearchCharged, steps }: ProbeOptions & { readonly steps: readonly ProbeStep[] },
): Promise<Probed> {
  const findings = await changeFindings(connection, (known) => {
    if (!known) {
      const message = wording`No probe was made yet. To make one: ${command('probe --max-credits 4')}`;
      throw new CliError(message, { code: 'not-probed' });
    }
    return {
      ...known,
      ...(missCharged !== undefined && { miss: { ...known.miss, chargedCredits: missCharged } }),
      ...(emptySearchCharged !== undefined && {
        emptySearch: { results: 0, ...known.emptySearch, chargedCredits: emptySearchCharged },
      }),
    };
  });
  const doubts = await sayDoubts(run, connection, steps);
  return { findings, doubts, unanswered: inDoubt(doubts), spentCredits: 0 };
}

function probeSheet(
  { stack }: CommandRun,
  connection: Connection,
  { findings, doubts, unanswered, spentCredits, refused, startedAtMs }: Probed & { startedAtMs: number },
): Sheet {
  const { isReal, policy, clock } = connection;
  const advice = adviceOf(findings, connection);
  const report = assumptionReport({
    about: 'data-service',
    isReal,
    // The address is always of a person's choice. So the program cannot know whether a stand-in answers.
    replacedBy: 'DATA_SERVICE_BASE_URL',
    versions: { project: about.version, node: process.version },
    startedAtMs,
    endedAtMs: clock.now(),
    assumptions: DATA_SERVICE_ASSUMPTIONS,
    observations: probeObservations(findings, policy, unanswered),
  });
  const listed = doubts.map(({ step, doubt }) => ({ step: step.name, credits: doubt.credits }));
  return {
    json: {
      ...report,
      findings: findingsForReport(findings),
      advice: advice.map(({ text }) => text),
      adviceCodes: advice.map(({ code }) => code),
      credits: spentCredits,
      doubts: listed,
      ...(refused && { error: errorJson(refused, stack) }),
    },
    body: [
      ...reportLines(report),
      ...findingLines(findings),
      ...advice.map(({ text }) => `  -> ${text}`),
      `Booked: ${counted(spentCredits, 'credit')}.${creditsInDoubt(doubts)}`,
    ],
    warnings: refused && refused.code !== 'doubt' ? [refused.wording] : [],
    exit: exitOf(report, { refused, isInDoubt: doubts.length > 0 }),
  };
}

/** Findings without texts and values of the data service. */
function findingsForReport({ probedAtMs, miss, rateHeaders, ...findings }: VendorFindings) {
  const { words: _, ...price } = miss ?? {};
  return {
    probedAt: new Date(probedAtMs).toISOString(),
    ...(miss && { miss: price }),
    ...findings,
    rateHeaders: Object.keys(rateHeaders).sort(),
  };
}

/** A difference is a result that scripts must see. Otherwise questions without an answer can be asked later. */
function exitOf(
  { counts }: AssumptionReport,
  { refused, isInDoubt }: { readonly refused: CliError | undefined; readonly isInDoubt: boolean },
): ExitCode {
  if (counts.differs > 0) return EXIT.failed;
  return refused?.exit ?? (isInDoubt ? EXIT.refused : EXIT.ok);
}
