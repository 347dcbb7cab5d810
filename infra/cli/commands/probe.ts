import { registrableDomain } from '#shared/identity';
import { command, counted, type OperatorCommand, SECOND_MS, wording } from '#shared/kernel';
import {
  priceOfQuestion,
  type Question,
  questionKey,
  type StoredDoubt,
  type VendorFindings,
  vendorFactsKind,
} from '#shared/questions';
import { change } from '#shared/store';
import { VENDORS } from '#shared/vendor';
import about from '../../../package.json' with { type: 'json' };
import { adviceOf } from '../../doctor/findings-check.ts';
import { assumptionReport, reportLines } from '../../local/rehearsal/assumption.ts';
import {
  DATA_SERVICE_ASSUMPTIONS,
  type DataServiceStep,
  probeObservations,
} from '../../local/rehearsal/data-service.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, errorJson } from '../terminal/exit.ts';
import { argumentRefusal, wholeNumber } from '../terminal/refusals.ts';
import { type DataRecord, type Sheet, timeOf } from '../terminal/sheet.ts';
import {
  type Asker,
  budgetLeft,
  createAsker,
  type GatewayAnswer,
  type WaitOptions,
  waitMsOf,
  withWait,
} from './asker.ts';
import { lookupQuestion } from './lookup.ts';
import { pageQuestion, recordsIn } from './search.ts';

interface ProbeOptions extends CommandOptions, WaitOptions {
  readonly maxCredits?: number;
  readonly domain?: string;
  readonly missCharged?: number;
  readonly emptySearchCharged?: number;
}

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
  const steps = probeSteps(inventedWordOf(connection), checkedDomain(domain));
  const probed =
    maxCredits === undefined
      ? await recordPrices(run, connection, { ...options, steps })
      : await askSteps(run, connection, { ...options, maxCredits, steps });
  return probeSheet(run, connection, { ...probed, startedAtMs });
}

/** Another word for each service, because the store does not know which service gave an answer. */
function inventedWordOf({ services, isReal, dataService: { baseUrl } }: Connection): string {
  const service = isReal ? new URL(baseUrl).host : 'stand-in';
  return services.digest.keyed(`invented for ${service}`).slice(0, 16);
}

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
      throw new CliError('not-probed', message);
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
  const ended = refused?.exit ?? (doubts.length > 0 ? EXIT.refused : EXIT.ok);
  return {
    json: {
      ...report,
      findings: findingsForReport(findings),
      advice: advice.map(({ text }) => text),
      adviceCodes: advice.map(({ code }) => code),
      credits: spentCredits,
      doubts: doubts.map(({ step, doubt }) => ({ step: step.name, credits: doubt.credits })),
      error: refused && errorJson(refused, stack),
    },
    body: [
      ...reportLines(report),
      ...advice.map(({ text }) => `  -> ${text}`),
      `Booked: ${counted(spentCredits, 'credit')}.${creditsInDoubt(doubts)}`,
    ],
    warnings: [refused?.code !== 'doubt' && refused?.wording],
    // A difference is a result that scripts must see. Otherwise questions without an answer can be asked later.
    exit: report.counts.differs > 0 ? EXIT.failed : ended,
  };
}

/** Findings without texts and values of the data service. */
function findingsForReport({ probedAtMs, miss, rateHeaders, ...findings }: VendorFindings) {
  const { words: _, ...price } = miss ?? {};
  return {
    probedAt: timeOf(probedAtMs),
    ...(miss && { miss: price }),
    ...findings,
    rateHeaders: Object.keys(rateHeaders).sort(),
  };
}

interface Probed {
  readonly findings: VendorFindings;
  readonly doubts: readonly ProbeDoubt[];
  /** Why a step has no answer. */
  readonly unanswered: ReadonlyMap<DataServiceStep, string>;
  readonly spentCredits: number;
  readonly refused?: CliError | undefined;
}

interface Probing extends WaitOptions {
  readonly steps: readonly ProbeStep[];
  readonly maxCredits: number;
  readonly domain?: string;
}

/**
 * Asks the steps' questions in order, through the gateway. A stored answer is used again. A question in doubt is left
 * out. The first question without an answer ends the probe.
 */
async function askSteps(run: CommandRun, connection: Connection, probing: Probing): Promise<Probed> {
  const { services } = connection;
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(probing) });
  const before = (await sayDoubts(run, connection, probing.steps)).map(({ step }) => step);
  const open = probing.steps.filter((step) => !before.includes(step));
  const steps = await affordableSteps(asker, open, probing.maxCredits);
  const paid = steps.filter(({ price }) => price > 0);
  if (paid.length > 0) {
    const most = paid.reduce((sum, { price }) => sum + price, 0);
    const price = `Probe, ${counted(paid.length, 'question')}: at most ${counted(most, 'credit')}`;
    await run.agree(`${price}, ${await budgetLeft(connection, 'manual')}`);
  }
  const seconds = services.questions.policy.requestTimeoutMs / SECOND_MS;
  run.resumesWith(againOf(probing), {
    cleaning: `The answer to a sent question is awaited, for ${counted(seconds, 'second')} at most. Ctrl-C now leaves it in doubt.`,
    remains: wording`Stopped at once. A sent question is in doubt. To see it: ${command('doubts list')}`,
  });
  const asked = await askInOrder(run, connection, { asker, steps, maxCredits: probing.maxCredits });
  const { findings, refused, spentCredits } = asked;
  await sayDoubts(run, connection, open);
  const doubts = await doubtsOf(connection, probing.steps);
  if (refused && run.signal?.aborted) {
    const booked = `Stopped. No other question was sent. Booked: ${counted(spentCredits, 'credit')}.`;
    const message = wording`${booked}${creditsInDoubt(doubts)} To continue: ${againOf(probing)}`;
    const params = { bookedCredits: spentCredits, doubtfulCredits: doubtfulCreditsOf(doubts) };
    throw new CliError('stopped', message, { params });
  }
  if (!findings && refused && refused.code !== 'doubt') throw refused;
  const unanswered = new Map([...asked.unanswered, ...inDoubt(doubts)]);
  const stored = (await services.vendorFacts.read(vendorFactsKind.key(VENDORS[0].mark)))?.value.findings;
  const known = findings ?? stored ?? { probedAtMs: services.questions.clock.now(), rateHeaders: {} };
  if (Object.keys(known.rateHeaders).length === 0 && !(findings && serverSeen(connection)))
    unanswered.set('rate', 'no question was answered');
  return { ...asked, findings: known, doubts, unanswered };
}

/** The steps whose highest prices together do not exceed `maxCredits`. */
async function affordableSteps(asker: Asker, steps: readonly ProbeStep[], maxCredits: number) {
  let left = maxCredits;
  // A stored answer has the price 0.
  const affordable: (ProbeStep & { readonly price: number })[] = [];
  for (const step of steps) {
    const price = (await asker.stored(step.question)) ? 0 : priceOfQuestion(step.question);
    if (price > left) continue;
    left -= price;
    affordable.push({ ...step, price });
  }
  return affordable;
}

type PricedSteps = Awaited<ReturnType<typeof affordableSteps>>;

async function askInOrder(
  run: CommandRun,
  connection: Connection,
  { asker, steps, maxCredits }: { asker: Asker; steps: PricedSteps; maxCredits: number },
) {
  const unanswered = new Map<DataServiceStep, string>();
  // Absent until a question is answered.
  let findings: VendorFindings | undefined;
  let isFirstPageKnown = false;
  let spentCredits = 0;
  for (const [index, { name, about, question, learn, price }] of steps.entries()) {
    // Alone, or after an empty page, the second page shows nothing, and may cost a credit.
    if (name === 'second-page' && (!isFirstPageKnown || findings?.domainMatch === 'nothing')) {
      unanswered.set(name, 'the first page has no company, or no answer');
      continue;
    }
    if (price > 0) run.say(`looking up ${about}`);
    try {
      const answer = await asker.ask(question, maxCredits - spentCredits);
      spentCredits += answer.credits;
      const seen = serverSeen(connection);
      // Findings are stored after each step, so that they are kept if the next step fails.
      findings = await changeFindings(connection, (known) => ({
        ...known,
        ...learn({ ...answer, notFound: seen?.notFound }, known ?? {}),
        rateHeaders: seen?.rateHeaders ?? known?.rateHeaders ?? {},
        probedAtMs: connection.clock.now(),
      }));
      if (name === 'domain') isFirstPageKnown = true;
      if (answer.credits > price) throw overcharged(about, { credits: answer.credits, price });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      for (const left of steps.slice(error.code === 'overcharged' ? index + 1 : index))
        unanswered.set(left.name, `the probe ended before its question (${error.code})`);
      return { findings, unanswered, spentCredits, refused: error };
    }
  }
  return { findings, unanswered, spentCredits, refused: undefined };
}

/** No further question keeps to the agreed credits, because the service does not keep to its prices. */
function overcharged(about: string, { credits, price }: { credits: number; price: number }): CliError {
  const message = `The data service charged ${counted(credits, 'credit')} for ${about}, and its price is ${counted(price, 'credit')} at most. No other question was sent. Ask the service for the reason before you use it.`;
  return new CliError('overcharged', message, { params: { credits, price } });
}

function againOf({ maxCredits, domain }: Probing): OperatorCommand {
  return command(`probe --max-credits ${maxCredits}${domain === undefined ? '' : ` --domain ${domain}`}`);
}

function serverSeen(connection: Connection) {
  const { host } = new URL(connection.dataService.baseUrl);
  return connection.serversSeen().find((server) => server.host === host);
}

async function changeFindings(
  { services, clock }: Connection,
  next: (known: VendorFindings | undefined) => VendorFindings,
): Promise<VendorFindings> {
  const place = { key: vendorFactsKind.key(VENDORS[0].mark), kind: 'vendor findings', clock };
  const { value } = await change(services.vendorFacts, place, (known) => ({
    value: { ...known, findings: next(known?.findings) },
  }));
  return value.findings;
}

/** An answer of the probe. `notFound` is the text of the latest 404. */
type ProbeAnswer = GatewayAnswer & { readonly fromStore: boolean; readonly notFound: string | undefined };

/** One question of the probe, and the findings that its answer adds to the known ones. */
interface ProbeStep {
  readonly name: Exclude<DataServiceStep, 'rate'>;
  readonly about: string;
  readonly question: Question;
  readonly learn: (answer: ProbeAnswer, known: Partial<VendorFindings>) => Partial<VendorFindings>;
}

/**
 * Builds the probe's steps: questions about an invented name and about the domain of a known company. The invented
 * name is the same in every probe of an installation. So a repeated probe repeats its questions, and each is paid once.
 */
function probeSteps(inventedWord: string, domain: string | undefined): ProbeStep[] {
  const unknown = `no-such-firm-${inventedWord}.com`;
  return [
    {
      name: 'miss',
      about: 'a person that does not exist',
      question: lookupQuestion('reverseEmail', { email: `nobody.${inventedWord}@${unknown}` }),
      learn: ({ kind, fromStore, notFound = '' }, { miss = {} }) =>
        fromStore ? { miss } : { miss: { words: kind === 'no-match' ? notFound : '' } },
    },
    {
      name: 'empty-search',
      about: 'companies of an unused domain',
      question: companiesOf(unknown, 1),
      learn: (answer, { emptySearch }) => ({
        emptySearch: { ...(answer.fromStore && emptySearch), results: recordsOf(answer).length },
      }),
    },
    ...(domain === undefined ? [] : domainSteps(domain)),
  ];
}

function domainSteps(domain: string): ProbeStep[] {
  let first: readonly DataRecord[] = [];
  return [
    {
      name: 'domain',
      about: `companies of ${domain}`,
      question: companiesOf(domain, 1),
      learn: (answer) => {
        first = recordsOf(answer);
        const exceedsPage = first.length > PAGE_SIZE || undefined;
        return { domainMatch: matchOf(first, domain), secondPage: undefined, exceedsPage };
      },
    },
    {
      name: 'second-page',
      about: 'its second page',
      question: companiesOf(domain, 2),
      learn: (answer) => {
        const second = recordsOf(answer);
        if (second.length === 0) return { secondPage: 'empty' };
        // Results beyond the page belong to the next page, so they do not show that it repeats.
        const ids = first.slice(0, PAGE_SIZE).map(({ id }) => id);
        const secondPage = second.some(({ id }) => ids.includes(id)) ? 'repeated' : 'other';
        return { secondPage, domainMatch: matchOf([...first, ...second], domain) };
      },
    },
  ];
}

/** Results of a page: as few as possible, because each is charged. */
const PAGE_SIZE = 1;

function companiesOf(domain: string, page: number): Question {
  const parameters = { q_organization_domains: [domain] };
  return pageQuestion({ operation: 'searchCompanies', parameters }, { page, per_page: PAGE_SIZE });
}

function recordsOf(answer: ProbeAnswer): readonly DataRecord[] {
  return answer.kind === 'found' ? recordsIn(answer) : [];
}

/**
 * Decides how a search by domain matches. A company can have several domains, and a result names only the first. So
 * one company under another domain proves nothing. A second company shows that the search is wider.
 */
function matchOf(records: readonly DataRecord[], domain: string): NonNullable<VendorFindings['domainMatch']> {
  if (records.length === 0) return 'nothing';
  if (records.every((record) => domainsOf(record).includes(domain))) return 'exact';
  return new Set(records.map(({ id }) => id)).size === 1 ? 'other-domain' : 'wider';
}

function domainsOf({ domain, website, domains }: DataRecord): string[] {
  const named = [domain, website, ...(Array.isArray(domains) ? domains : [])];
  return named.flatMap((each) => (typeof each === 'string' ? (registrableDomain(each) ?? []) : []));
}

/** A question of the probe that was sent and got no answer. It is not sent again before a person resolves it. */
interface ProbeDoubt {
  readonly step: ProbeStep;
  readonly doubt: StoredDoubt;
}

async function doubtsOf({ services }: Connection, steps: readonly ProbeStep[]): Promise<ProbeDoubt[]> {
  const open = new Map((await services.openDoubts()).map((doubt) => [doubt.questionKey, doubt]));
  return steps.flatMap((step) => {
    const doubt = open.get(questionKey(step.question, services.digest));
    return doubt ? [{ step, doubt }] : [];
  });
}

/** Names each open doubt about these steps' questions, its credits and the command that resolves it. */
async function sayDoubts(
  run: CommandRun,
  connection: Connection,
  steps: readonly ProbeStep[],
): Promise<readonly ProbeDoubt[]> {
  const doubts = await doubtsOf(connection, steps);
  for (const { step, doubt } of doubts) {
    const { credits, sentAtMs, questionKey: key } = doubt;
    const sent = `The question about ${step.about}, sent ${timeOf(sentAtMs)}, is in doubt`;
    const price = `it may have cost ${counted(credits, 'credit')}`;
    const resolve = command(`doubts resolve ${key} --charged|--not-charged --note "..."`);
    run.say(wording`${sent}: ${price}. It is not sent again. See the usage list, then run: ${resolve}`);
  }
  return doubts;
}

/** ` In doubt: 1 credit.`, or nothing. */
function creditsInDoubt(doubts: readonly ProbeDoubt[]): string {
  const credits = doubtfulCreditsOf(doubts);
  return credits === 0 ? '' : ` In doubt: ${counted(credits, 'credit')}.`;
}

function doubtfulCreditsOf(doubts: readonly ProbeDoubt[]): number {
  return doubts.reduce((sum, { doubt }) => sum + doubt.credits, 0);
}

function inDoubt(doubts: readonly ProbeDoubt[]): Probed['unanswered'] {
  return new Map(
    doubts.map(({ step, doubt }) => [
      step.name,
      `its question is in doubt (${counted(doubt.credits, 'credit')}): resolve the doubt, then probe again`,
    ]),
  );
}
