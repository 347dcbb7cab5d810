import { relative } from 'node:path';
import type { LedgerEntry } from '#shared/credit-ledger';
import { OBJECT_TYPES, wordsOfKey } from '#shared/crm';
import { type EnrichmentObserver, isStatus, type RecordReport } from '#shared/enrichment';
import { type EnrichmentStatus, type Policy, STATUS_LABELS } from '#shared/field-policy';
import { command, commandText, counted, figure, type OperatorCommand } from '#shared/kernel';
import {
  eventThatEnds,
  explanationText,
  type OutcomeKind,
  type RecordState,
  waitingWords,
} from '#shared/records';
import { billOf, signedCredits } from '#shared/spend';
import { HUBSPOT_URL } from '../doctor/access-checks.ts';
import type { Check } from '../doctor/check.ts';
import type { Demo } from './data-folder.ts';
import type { LocalSettings } from './settings.ts';
import type { Vendors } from './vendors.ts';

type Write = (line: string) => void;

export interface Narrator extends EnrichmentObserver {
  say(line?: string): void;
  expect(demos: readonly Demo[]): void;
  /** Number of properties of the expected records that were filled so far, not counting `enrichment_*`. */
  fieldsFilled(): number;
  ledger(entries: readonly LedgerEntry[]): void;
}

export function createNarrator(
  write: Write,
  { startedAt, now }: { startedAt: number; now: () => number },
): Narrator {
  const shows = new Map<string, string>();
  let fieldsFilled = 0;
  const title = ({ objectType, id }: { objectType: string; id: string }) => {
    const key = `${objectType}#${id}`;
    const what = shows.get(key);
    const seconds = ((now() - startedAt) / 1000).toFixed(1).padStart(5);
    return `${seconds}s  ${wordsOfKey(key)}${what ? ` (${what})` : ''}`;
  };
  return {
    say: (line = '') => write(line),
    expect: (demos) => {
      for (const { objectType, id, shows: what } of demos) shows.set(`${objectType}#${id}`, what);
    },
    repeated: (record) => {
      write(title(record));
      write('        repeated event: no request, no credit, no write');
    },
    fieldsFilled: () => fieldsFilled,
    ended: (report) => {
      write(title(report));
      write(`        ${resultLine(report)}`);
      const values = report.written.filter(({ property }) => !isStatus(property));
      if (shows.has(`${report.objectType}#${report.id}`)) fieldsFilled += values.length;
      for (const { property, before, after } of report.written) {
        write(`        ${property.padEnd(24)} ${shown(before)} -> ${shown(after)}`);
      }
    },
    ledger: (entries) => {
      write('  seq  kind      credits  operation       purpose  why');
      for (const { seq, kind, amountCredits, operation = '', purpose = '', reason = '' } of entries) {
        write(
          `  ${String(seq).padStart(3)}  ${kind.padEnd(8)}  ${String(amountCredits).padStart(7)}  ${operation.padEnd(14)}  ${purpose.padEnd(7)}  ${reason}`,
        );
      }
    },
  };
}

function resultLine({ runOutcome }: RecordReport): string {
  const spent = `${runOutcome.credits} ${runOutcome.credits === 1 ? 'credit' : 'credits'}`;
  if (runOutcome.kind === 'outcome')
    return `${outcomeName(runOutcome.outcome, runOutcome.status)}, ${spent}: ${explanationText(runOutcome.reason)}`;
  return `waiting (${runOutcome.reason}): ${waitLine(runOutcome)} ${spent} so far.`;
}

/** The name of an outcome in the terminal. */
export function outcomeName(kind: OutcomeKind, status: EnrichmentStatus | undefined): string {
  return status === 'review' ? STATUS_LABELS.review.toLowerCase() : kind;
}

/** Why a record waits, and the latest time of its next retry. */
export function waitLine({ reason, detail, untilMs }: NonNullable<RecordState['waiting']>): string {
  const event = eventThatEnds(reason);
  const end = event ? `Waits until ${event}.` : `Retried by ${new Date(untilMs).toISOString()}.`;
  return `${detail ?? waitingWords(reason).why} ${end}`;
}

function shown(value: string | null): string {
  if (value === null || value === '') return '(empty)';
  const line = value.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

interface Started {
  readonly settings: LocalSettings;
  readonly policy: Policy;
  readonly path: string;
  readonly installedAtMs: number;
  readonly publicUrl: string;
  /** Address with this start's secret. */
  readonly spendPage: string;
  readonly vendors: Pick<Vendors, 'sandbox'>;
  readonly logFile: string;
  readonly notes: readonly Check[];
  /** Results of the checks. Present only with the real services. */
  readonly checked?: Checked | undefined;
}

export interface Checked {
  readonly portalId: string;
  readonly notes: readonly Check[];
  readonly leftCredits: number;
}

/**
 * Lines for a person to read before the start. They show whether the services are real, the account, the budget, and
 * the records and properties in scope.
 */
export function bannerOf(started: Started): string[] {
  const { settings, policy, path, publicUrl, spendPage, vendors, logFile } = started;
  const { hubSpotUrl, dataServiceUrl } = vendors.sandbox ?? {};
  const rows: [name: string, text: string | undefined][] = [
    ...(settings.real ? realRows(started) : []),
    ['HubSpot', hubSpotUrl && `${hubSpotUrl}   (create, import and edit records in a browser)`],
    ['Data service', dataServiceUrl],
    ['Policy', `${shortPath(settings.policyFile)}, version ${policy.version}`],
    ['Spend', `${spendPage}   (with names; also /spend.json and /spend.csv)`],
    ['Webhooks', settings.real && !settings.real.publicUrl ? NO_WEBHOOKS : publicUrl],
    ['Data', `${path}, log in ${logFile}`],
  ];
  const notes = started.notes.map(({ name, seen, advice = '' }) => `Note on ${name}: ${seen} (${advice}).`);
  return [
    settings.real ? REAL_SERVICES : STAND_INS,
    ...rows.flatMap(([name, text]) => (text ? [`  ${name.padEnd(13)} ${text}`] : [])),
    ...notes,
    '',
  ];
}

export const REAL_SERVICES = 'REAL services: credits are spent, and HubSpot is written to.';
const STAND_INS =
  'STAND-INS: both services are simulated here; no real service is called and no credit is spent.';
const NO_WEBHOOKS = 'none reach this process (WEBHOOK_PUBLIC_URL): new records are looked for every 15 s';

function shortPath(file: string): string {
  const short = relative('', file);
  return short.startsWith('..') ? file : short;
}

function realRows({ settings: { real }, policy, checked, installedAtMs }: Started): [string, string][] {
  if (!real || !checked) return [];
  const written = OBJECT_TYPES.map((type) => {
    const properties = policy.fields[type].filter(({ write }) => write !== 'never');
    return `${new Set(properties.map(({ property }) => property)).size} properties of ${type}`;
  });
  return [
    ['HubSpot', `account ${checked.portalId} at ${real.hubSpotBaseUrl ?? HUBSPOT_URL}`],
    ['Data service', real.dataServiceBaseUrl],
    [
      'Budget',
      `${counted(real.creditsPerDay, 'credit')} a day (CREDITS_PER_DAY); ${figure(checked.leftCredits)} may be spent now`,
    ],
    ['Touches', `${written.join(' and ')}, as the policy says, and enrichment_*, which it creates`],
    [
      'Of',
      `records created since ${new Date(installedAtMs).toISOString()}, and records that a person requests`,
    ],
  ];
}

export function nextSteps({
  month,
  dataFolder,
}: Pick<LocalSettings, 'month' | 'dataFolder'>): readonly string[] {
  const environment = environmentOf(dataFolder);
  const before = environment === undefined ? '' : `${environment} `;
  const commands = month ? AFTER_MONTH : AFTER_FIRST_RECORDS;
  return [
    'Try next, in a second terminal:',
    ...commands.map((typed) => `  ${before}npm run -s cli -- ${commandText(typed.command, undefined)}`),
    'docs/guides/laptop.md continues from here.',
  ];
}

/** Environment variables that the commands of this data folder need; `undefined` for the usual folder. */
export function environmentOf(dataFolder = DATA_FOLDER): string | undefined {
  return dataFolder === DATA_FOLDER ? undefined : `DATA_DIR=${shellWord(dataFolder)}`;
}

/** Quotes a text that a shell would otherwise split or expand. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const DATA_FOLDER = '.data';

const AFTER_FIRST_RECORDS: readonly OperatorCommand[] = [
  command('spend'),
  command('spend charges'),
  command('ledger verify'),
  command('runs verify'),
];

const AFTER_MONTH: readonly OperatorCommand[] = [
  command('spend --by purpose'),
  command('doubts list'),
  command('review list'),
  command('backfill list'),
  command('queue status'),
];

function commandFor(words: string): string {
  return `npm run -s cli -- ${commandText(words, undefined)}`;
}

interface Books {
  /** Charged credits of the ledger since its first entry. */
  readonly posted: number;
  readonly doubtful: number;
  /** Credits booked as charged without a proof; part of `posted`. */
  readonly booked: number;
  readonly charged: number;
  /** Corrections that a person or a late proof booked. They count only if purchases are booked too. */
  readonly adjusted?: number;
}

/** Without a booked purchase, an adjustment may stand for one. */
export function bookedIn(
  lifetime: LedgerEntry['totals']['lifetime'] | undefined,
): Pick<Books, 'posted' | 'doubtful' | 'adjusted'> {
  const { posted = 0, doubtful = 0, granted = 0, adjusted = 0 } = lifetime ?? {};
  return { posted, doubtful, adjusted: granted > 0 ? adjusted : 0 };
}

/** Reports whether the ledger agrees with the data service's bill. Only the bill shows whether a doubt was charged. */
export function compareBooks(
  narrator: Pick<Narrator, 'say'>,
  { posted, doubtful, booked, charged, adjusted = 0 }: Books,
): boolean {
  const bill = billOf({
    chargedCredits: posted,
    doubtfulCredits: doubtful,
    bookedDoubts: { credits: booked },
  });
  const corrected = charged + adjusted;
  const agrees = bill.fewestCredits <= corrected && corrected <= bill.mostCredits;
  const adjustments = adjusted === 0 ? '' : ` Adjustments ${signedCredits(adjusted)}.`;
  narrator.say(`${bill.words}${adjustments} The data service's own bill is ${counted(charged, 'credit')}.`);
  if (doubtful + booked > 0) narrator.say(`To decide unknown outcomes: ${commandFor('doubts list')}`);
  if (agrees) narrator.say('The books agree.');
  else {
    const over = corrected - bill.mostCredits;
    const difference = over > 0 ? over : bill.fewestCredits - corrected;
    narrator.say(
      `THE BOOKS DIFFER. The bill is ${counted(difference, 'credit')} ${over > 0 ? 'higher' : 'lower'} than the books allow. Was a doubt decided wrongly?`,
    );
    narrator.say(`Compare its usage list with: ${commandFor('spend charges')}`);
    narrator.say(`Then book the difference: ${commandFor('ledger reconcile --balance CREDITS')}`);
  }
  return agrees;
}
