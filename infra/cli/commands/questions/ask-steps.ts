import { command, counted, type OperatorCommand, SECOND_MS, wording } from '#shared/kernel';
import { priceOfQuestion, type VendorFindings, vendorFactsKind } from '#shared/questions';
import { change } from '#shared/store';
import type { ServerSeen } from '../../../local/observed-send.ts';
import type { DataServiceStep } from '../../../local/rehearsal/data-service-assumptions.ts';
import type { Unanswered } from '../../../local/rehearsal/probe-observations.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun, StopTexts } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import { type WaitOptions, waitMsOf } from './ask-options.ts';
import { type Asker, createAsker } from './asker.ts';
import { budgetLeft } from './price-line.ts';
import {
  creditsInDoubt,
  doubtfulCreditsOf,
  doubtsOf,
  inDoubt,
  type ProbeDoubt,
  sayDoubts,
} from './probe-doubts.ts';
import type { ProbeStep } from './probe-steps.ts';

export interface Probed {
  readonly findings: VendorFindings;
  /** Open doubts about questions of the probe. */
  readonly doubts: readonly ProbeDoubt[];
  readonly unanswered: Unanswered;
  readonly spentCredits: number;
  /** Why the probe ended before its last question. */
  readonly refused?: CliError | undefined;
}

interface Asking extends WaitOptions {
  readonly steps: readonly ProbeStep[];
  readonly maxCredits: number;
  readonly domain?: string;
}

/**
 * Asks the steps' questions in order, through the gateway. A stored answer is used again. A question in doubt is left
 * out. The first question without an answer ends the probe.
 */
export async function askSteps(run: CommandRun, connection: Connection, asking: Asking): Promise<Probed> {
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(asking) });
  const before = (await sayDoubts(run, connection, asking.steps)).map(({ step }) => step);
  const open = asking.steps.filter((step) => !before.includes(step));
  const steps = await affordableSteps(asker, open, asking.maxCredits);
  const most = steps.reduce((sum, { price }) => sum + price, 0);
  if (most > 0) await run.agree(await priceLine(connection, steps));
  run.resumesWith(againOf(asking), stopping(connection));
  const asked = await askInOrder(run, connection, { asker, steps, maxCredits: asking.maxCredits });
  const { findings, refused, spentCredits } = asked;
  await sayDoubts(run, connection, open);
  const doubts = await doubtsOf(connection, asking.steps);
  if (refused && run.signal?.aborted) throw stopped(asking, { doubts, spentCredits });
  if (!findings && refused && refused.code !== 'doubt') throw refused;
  const unanswered = new Map([...asked.unanswered, ...inDoubt(doubts)]);
  const known = findings ?? (await knownFindings(connection));
  if (Object.keys(known.rateHeaders).length === 0 && !(findings && serverSeen(connection)))
    unanswered.set('rate', 'no question was answered');
  return { ...asked, findings: known, doubts, unanswered };
}

interface PricedStep extends ProbeStep {
  /** 0 for a stored answer. */
  readonly price: number;
}

/** The steps whose highest prices together do not exceed `maxCredits`. */
async function affordableSteps(
  asker: Asker,
  steps: readonly ProbeStep[],
  maxCredits: number,
): Promise<PricedStep[]> {
  let left = maxCredits;
  const affordable: PricedStep[] = [];
  for (const step of steps) {
    const price = (await asker.stored(step.question)) ? 0 : priceOfQuestion(step.question);
    if (price > left) continue;
    left -= price;
    affordable.push({ ...step, price });
  }
  return affordable;
}

async function priceLine(connection: Connection, steps: readonly PricedStep[]): Promise<string> {
  const paid = steps.filter(({ price }) => price > 0);
  const most = paid.reduce((sum, { price }) => sum + price, 0);
  const left = await budgetLeft(connection, 'manual');
  return `Probe, ${counted(paid.length, 'question')}: at most ${counted(most, 'credit')}, ${left}`;
}

interface InOrder {
  readonly asker: Asker;
  readonly steps: readonly PricedStep[];
  readonly maxCredits: number;
}

type Asked = Pick<Probed, 'unanswered' | 'spentCredits' | 'refused'> & {
  /** Absent if no question was answered. */
  readonly findings: VendorFindings | undefined;
};

async function askInOrder(
  run: CommandRun,
  connection: Connection,
  { asker, steps, maxCredits }: InOrder,
): Promise<Asked> {
  const unanswered = new Map<DataServiceStep, string>();
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
      const { notFound } = serverSeen(connection) ?? {};
      // Findings are stored after each step, so that they are kept if the next step fails.
      findings = await storeFindings(connection, (known) => learn({ ...answer, notFound }, known));
      if (name === 'domain') isFirstPageKnown = true;
      if (answer.credits > price) throw overcharged(about, { credits: answer.credits, price });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      for (const left of steps.slice(error.code === 'overcharged' ? index + 1 : index))
        unanswered.set(left.name, `the probe ended before its question (${error.code})`);
      return { findings, unanswered, spentCredits, refused: error };
    }
  }
  return { findings, unanswered, spentCredits };
}

/** No further question keeps to the agreed credits, because the service does not keep to its prices. */
function overcharged(about: string, { credits, price }: { credits: number; price: number }): CliError {
  const message = `The data service charged ${counted(credits, 'credit')} for ${about}, and its price is ${counted(price, 'credit')} at most. No other question was sent. Ask the service for the reason before you use it.`;
  return new CliError(message, { code: 'overcharged', params: { credits, price } });
}

/** Shown at the first stop. A second stop ends the process. */
function stopping({ services }: Connection): StopTexts {
  const seconds = services.questions.policy.requestTimeoutMs / SECOND_MS;
  return {
    cleaning: `The answer to a sent question is awaited, for ${counted(seconds, 'second')} at most. Ctrl-C now leaves it in doubt.`,
    remains: wording`Stopped at once. A sent question is in doubt. To see it: ${command('doubts list')}`,
  };
}

function againOf({ maxCredits, domain }: Asking): OperatorCommand {
  return command(`probe --max-credits ${maxCredits}${domain === undefined ? '' : ` --domain ${domain}`}`);
}

function stopped(
  asking: Asking,
  { doubts, spentCredits }: Pick<Probed, 'doubts' | 'spentCredits'>,
): CliError {
  const booked = `Stopped. No other question was sent. Booked: ${counted(spentCredits, 'credit')}.`;
  const message = wording`${booked}${creditsInDoubt(doubts)} To continue: ${againOf(asking)}`;
  const params = { bookedCredits: spentCredits, doubtfulCredits: doubtfulCreditsOf(doubts) };
  return new CliError(message, { code: 'stopped', params });
}

function serverSeen(connection: Connection): ServerSeen | undefined {
  const { host } = new URL(connection.dataService.baseUrl);
  return connection.serversSeen().find((server) => server.host === host);
}

async function knownFindings({ services }: Connection): Promise<VendorFindings> {
  const known = await services.vendorFacts.read(vendorFactsKind.key());
  return known?.value.findings ?? { probedAtMs: services.questions.clock.now(), rateHeaders: {} };
}

function storeFindings(
  connection: Connection,
  learn: (known: Partial<VendorFindings>) => Partial<VendorFindings>,
): Promise<VendorFindings> {
  const seen = serverSeen(connection);
  return changeFindings(connection, (known) => ({
    ...known,
    ...learn(known ?? {}),
    rateHeaders: seen?.rateHeaders ?? known?.rateHeaders ?? {},
    probedAtMs: connection.clock.now(),
  }));
}

export async function changeFindings(
  { services, clock }: Connection,
  next: (known: VendorFindings | undefined) => VendorFindings,
): Promise<VendorFindings> {
  const place = { key: vendorFactsKind.key(), kind: 'vendor findings', clock };
  const { value } = await change(services.vendorFacts, place, (known) => ({
    value: { ...known, findings: next(known?.findings) },
  }));
  return value.findings;
}
