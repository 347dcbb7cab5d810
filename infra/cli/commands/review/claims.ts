import { isResolution, readLog } from '#shared/credit-ledger';
import { requestKind, type WrongMatch } from '#shared/enrichment';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun, SheetCommand } from '../../sheet-command.ts';
import { type Sheet, tableOf } from '../../terminal/sheet.ts';

/** A charge to claim back from the data service, with the details that the service needs. */
interface Claim {
  /** When the question was sent, ISO 8601. */
  readonly askedAt: string;
  readonly why: 'wrong match' | 'no answer';
  readonly operation: string;
  readonly credits: number;
  /** The data service's id of the request, if it gave one. */
  readonly requestId: string;
  /** Our key of the question. It contains no personal data. */
  readonly questionKey: string;
}

const COLUMNS = ['askedAt', 'why', 'operation', 'credits', 'requestId', 'questionKey'] as const;

/** `review claims`: a file to send to the data service. */
export function addClaims(parent: SheetCommand): void {
  parent
    .command('claims')
    .description('list charges for wrong matches and doubts, to send to the data service; no personal data')
    .csv()
    .example('--csv > claims.csv')
    .sheet(claims);
}

async function claims(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const all = [...(await wrongMatches(connection)), ...(await unanswered(connection))];
  const found = all.toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
  return { json: found, body: [{ ...tableOf(COLUMNS, found), empty: 'Nothing to claim.' }] };
}

async function wrongMatches({ services }: Connection): Promise<readonly Claim[]> {
  const stored = await services.requests.list({ partition: requestKind.partition('wrong-matches') });
  return claimsOf(stored.flatMap(({ wrongMatch }) => wrongMatch ?? []));
}

/** Builds one claim for each request, even if several records used its answer. */
export function claimsOf(marked: readonly WrongMatch[]): Claim[] {
  const byRequest = Map.groupBy(marked, ({ questionKey, askedAtMs }) => `${questionKey} ${askedAtMs}`);
  return [...byRequest.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { askedAtMs, operation, credits, requestId = '', questionKey } = first;
    const askedAt = new Date(askedAtMs).toISOString();
    return [{ askedAt, why: 'wrong match', operation, credits, requestId, questionKey }];
  });
}

/** Open doubts, and requests that were booked as charged without an answer. Reads the whole ledger. */
async function unanswered({ services }: Connection): Promise<readonly Claim[]> {
  const { ledgerStore, ledger } = services;
  const sent = new Map<string, string>();
  const claimed = new Map<string, Claim>();
  const why = { why: 'no answer', requestId: '' } as const;
  for await (const entry of readLog(ledgerStore, ledger.account, 1)) {
    const { id, kind, atMs, reservationId = '', operation = '', questionKey = '', amountCredits } = entry;
    if (kind === 'pending') sent.set(reservationId, new Date(atMs).toISOString());
    const charge = { ...why, operation, questionKey, credits: amountCredits };
    if (kind === 'posted' && isResolution(entry))
      claimed.set(reservationId, { ...charge, askedAt: sent.get(reservationId) ?? '' });
    // A late answer, or a person, has corrected the charge.
    if (kind === 'late') claimed.delete(reservationId);
    if (kind === 'adjustment') claimed.delete(id.slice(0, id.lastIndexOf(':')));
  }
  for (const { reservationId, sentAtMs, operation, questionKey, credits } of await services.openDoubts())
    claimed.set(reservationId, {
      ...why,
      askedAt: new Date(sentAtMs).toISOString(),
      operation,
      questionKey,
      credits,
    });
  return [...claimed.values()].filter(({ credits }) => credits > 0);
}
