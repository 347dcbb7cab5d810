import { Option } from 'commander';
import { budgetParts } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { knownAnswer, linkCompany } from '#shared/enrichment';
import { command, counted, figure, SECOND_MS, wording } from '#shared/kernel';
import {
  type AskResult,
  LOOKUPS,
  priceOfQuestion,
  type Question,
  type QuestionOperation,
  timeToAnswerMs,
} from '#shared/questions';
import { waitingWords } from '#shared/records';
import { label } from '#shared/spend';
import { OPERATIONS, type OperationName } from '#shared/vendor';
import type { Connection } from '../connection/connection.ts';
import type { SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, exitOfError } from '../terminal/exit.ts';
import { wholeNumber } from '../terminal/refusals.ts';

export type GatewayAnswer = Extract<AskResult, { kind: 'found' | 'no-match' }>;

/** Tells a person that a repeat of the question shows less. */
export const CUT_NOTE =
  'The answer is too large to store whole. The store has only a part of its largest fields.';

/** A command's access to the ask gateway. */
export interface Asker {
  /**
   * Looks up the answer, at its price.
   * @param leftCredits remainder of the agreed price. A question that costs more is not sent, even if its stored
   * answer has expired since the quote.
   * @throws CliError if there is no answer, with the reason and the earliest time of a retry.
   */
  ask(question: Question, leftCredits: number): Promise<GatewayAnswer & { readonly fromStore: boolean }>;
  /** Returns a stored answer for free. Sends no request. */
  stored(question: Question): Promise<GatewayAnswer | undefined>;
}

interface Asking {
  readonly signal: AbortSignal | undefined;
  /** Longest wait for the vendor's rate limit, or for another process that asks the same question. */
  readonly waitMs: number;
}

export function createAsker(connection: Connection, { signal, waitMs }: Asking): Asker {
  const { services } = connection;
  const { clock } = services.questions;
  const answers = { ...services, clock };
  const answerMs = timeToAnswerMs(services.questions.policy);
  return {
    ask: async (question, leftCredits) => {
      signal?.throwIfAborted();
      // The answer to another question about the same person or company.
      const known = await knownAnswer(answers, question, undefined);
      if (known) return { ...known, fromStore: true };
      let isBought = false;
      const result = await services.gateway.ask({
        question,
        purpose: 'manual',
        askedBy: 'operator',
        signal,
        leftCredits,
        notAfterMs: clock.now() + waitMs + answerMs,
        booked: async (booked) => {
          isBought = true;
          const { about, search } = LOOKUPS[question.operation];
          if (booked.kind === 'found' && about === 'company' && !search) await linkCompany(answers, booked);
        },
      });
      if (result.kind !== 'found' && result.kind !== 'no-match')
        throw refusalOf(result, { signal, settings: await settingsToRaise(connection, question) });
      return { ...result, fromStore: !isBought };
    },
    stored: async (question) =>
      (await services.gateway.stored(question)) ?? (await knownAnswer(answers, question, undefined)),
  };
}

/** Says what a person does before running the command again. The time of the retry follows. */
function firstStep(reason: string, settings: readonly string[]): string {
  if (reason === 'budget') return `Raise ${settingsText(settings)}, or try`;
  const { setting } = waitingWords(reason);
  return setting === undefined ? 'Try' : `Check ${setting}, then try`;
}

const UNASKED = {
  forgotten: 'This person asked to be forgotten: no lookup is made, and no data is shown.',
  withdrawn: 'The lookup was cancelled before it was sent. Nothing was charged.',
  'too-dear':
    'The stored answer is gone, and a lookup costs more than you agreed to. Run the command again for the new price.',
} as const;

/** Error for a command that got no answer. */
function refusalOf(
  result: Exclude<AskResult, GatewayAnswer>,
  { signal, settings }: { signal: AbortSignal | undefined; settings: readonly string[] },
): CliError {
  if (signal?.aborted && signal.reason instanceof CliError) return signal.reason;
  switch (result.kind) {
    case 'waiting': {
      const { reason, detail, untilMs } = result;
      if (reason === 'stopped-by-person') {
        const message = wording`${sentence(detail)} It lasts until a person runs: ${command('spend resume')}`;
        return new CliError(reason, message);
      }
      if (reason === 'service-unreachable') {
        const message = `The lookup was not sent (${detail}). Nothing was charged. Check the network and DATA_SERVICE_BASE_URL (of a stack: dataServiceBaseUrl), then try again after ${moment(untilMs)}.`;
        return new CliError(reason, message, { exit: EXIT.refused, untilMs });
      }
      const message = `${sentence(detail)} ${firstStep(reason, settings)} again after ${moment(untilMs)}.`;
      const params = reason === 'budget' ? { settings } : undefined;
      // A refused key or a wrong address needs another setting, and no retry.
      const exit = exitOfError(reason) ?? EXIT.refused;
      return new CliError(reason, message, { exit, params, untilMs });
    }
    case 'doubt': {
      const resolve = command(`doubts resolve ${result.questionKey} --charged|--not-charged --note "..."`);
      const message = wording`${sentence(result.detail)} See what the data service charged, then run: ${resolve}`;
      return new CliError('doubt', message);
    }
    case 'rejected': {
      const message = `The data service refused the lookup (${result.detail}). Nothing was charged.`;
      return new CliError('rejected', message);
    }
    default:
      return new CliError(result.kind, UNASKED[result.kind]);
  }
}

const OF_ENVIRONMENT = 'CREDITS_PER_DAY';

/** Names of the settings whose budgets are too low for a lookup by hand. */
async function settingsToRaise(
  { services, isReal, isStack }: Connection,
  question: Question,
): Promise<readonly string[]> {
  const price = priceOfQuestion(question);
  const short = (await services.ledger.now())
    .states()
    .filter(
      ({ budget, leftCredits }) =>
        leftCredits < price && ['total', 'manual'].includes(budgetParts({ budget }).scope),
    );
  return short.map(({ budget }) => {
    if (budget === 'total/day' && isReal && !isStack) return OF_ENVIRONMENT;
    const { scope, period } = budgetParts({ budget });
    const name = period === 'day' ? 'perDay' : 'perMonth';
    return `budgets.${scope === 'total' ? name : `purposes.${scope}.${name}`}`;
  });
}

function settingsText(names: readonly string[]): string {
  const isOfPolicy = names.some((name) => name !== OF_ENVIRONMENT);
  return `${names.join(' and ') || 'the budgets'}${isOfPolicy ? ' in the policy' : ''}`;
}

function sentence(detail: string): string {
  return /[.!]$/.test(detail) ? detail : `${detail}.`;
}

/** Time for a person. Rounded up to the second, so that it is never too early. */
function moment(atMs: number): string {
  const second = Math.ceil(atMs / SECOND_MS) * SECOND_MS;
  return new Date(second).toISOString().replace('.000', '');
}

export interface WaitOptions {
  /** Seconds. */
  readonly wait: number;
}

/** One full minute of the vendor's rate limit, and another one for requests that are first in the queue. */
const WAIT_S = 120;

export function withAskOptions(command: SheetCommand): SheetCommand {
  return withWait(command.csv()).yes('agree to the price beforehand');
}

export function withWait(command: SheetCommand): SheetCommand {
  const wait = new Option('--wait <seconds>', "longest wait for the data service's rate limit");
  return command.addOption(wait.argParser(wholeNumber(0)).default(WAIT_S));
}

export function waitMsOf({ wait }: WaitOptions): number {
  return wait * SECOND_MS;
}

/** Remaining credits. Names the ledger, because this machine and each stack have different ledgers. */
export async function budgetLeft(
  { services, isReal, isStack, path }: Connection,
  purpose: Purpose,
): Promise<string> {
  const left = `${figure((await services.ledger.now()).left(purpose))} left for it now`;
  if (isStack) return `${left} of ${path}`;
  return isReal ? `${left}; real credits, booked in ${path} only` : left;
}

/** `1 credit`: price of an operation without additions; for a search, the price of one result. */
export function basePrice(operation: OperationName): string {
  return counted(OPERATIONS[operation].base, 'credit');
}

/** `look up person with email, phone`. */
export function questionWords({
  operation,
  options,
}: {
  operation: QuestionOperation;
  options: readonly string[];
}): string {
  return `${label(operation)}${options.length === 0 ? '' : ` with ${options.join(', ')}`}`;
}
