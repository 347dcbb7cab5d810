import type { LedgerEntry } from '#shared/credit-ledger';
import { wordsOfKey } from '#shared/crm';
import { type EnrichmentObserver, isStatus, type RecordReport } from '#shared/enrichment';
import { eventThatEnds, explanationText, type RecordState, waitingWords } from '#shared/records';
import type { Demo } from './data-folder.ts';

type Write = (line: string) => void;

export interface Narrator extends EnrichmentObserver {
  say(line?: string): void;
  expect(demos: readonly Demo[]): void;
  /** Number of properties filled so far, not counting `enrichment_*`. */
  fieldsFilled(): number;
  ledger(entries: readonly LedgerEntry[]): void;
}

/** Reports the result of each record at the terminal as it happens. */
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
      fieldsFilled += values.length;
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
    return `${runOutcome.outcome}, ${spent}: ${explanationText(runOutcome.reason)}`;
  return `waiting (${runOutcome.reason}): ${waitLine(runOutcome)} ${spent} so far.`;
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
