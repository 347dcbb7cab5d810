import { Option } from 'commander';
import { isResolution, readLog } from '#shared/credit-ledger';
import { OBJECT_TYPES, type RecordName, WRITES_AT_ONCE } from '#shared/crm';
import {
  type Acceptance,
  acceptFindings,
  type FindingName,
  previewFindings,
  rejectFinding,
} from '#shared/extensions/review';
import { command, counted, csvRecord, inChunks, wording } from '#shared/kernel';
import { explanationText, shownExplanation } from '#shared/records';
import { readClaims, type WrongMatch } from '#shared/requests';
import {
  type Decided,
  decisionWords,
  FINDING_KINDS,
  type FindingKind,
  type ReviewLine,
  type Reviews,
  reviewLines,
} from '#shared/review';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, usageError } from '../terminal/exit.ts';
import { type Sheet, tableOf } from '../terminal/sheet.ts';
import { enrichmentServices } from './enrich.ts';
import { readShortName } from './find-record.ts';

export function addReview(program: SheetCommand): void {
  const review = program.command('review').description('items that need a human decision');
  const kind = () => new Option('--kind <kind>', 'only these').choices(FINDING_KINDS);
  review
    .command('list')
    .description('list open items, most serious first; no values')
    .addOption(kind())
    .csv()
    .example('--kind contradiction')
    .sheet(list);
  review
    .command('export')
    .description('show what accepting would write now, value by value, as CSV')
    .addOption(kind())
    .example('--kind proposal > proposals.csv')
    .sheet(exportReview);
  review
    .command('accept [id]')
    .description('write the stored answer, for 0 credits; later changes by people stay')
    .option('--all', 'all items of one kind')
    .addOption(kind())
    .yes('agree beforehand')
    .example('--all --kind proposal')
    .sheet(accept);
  review
    .command('reject <id>')
    .description('keep the record as it is; the same answer is not offered again')
    .option('--wrong-match', 'the answer is about another person or company: undo it, and claim its charge')
    .example('contacts/123/proposal')
    .sheet(reject);
  review
    .command('claims')
    .description('list charges for wrong matches and doubts, to send to the data service; no personal data')
    .csv()
    .example('--csv > claims.csv')
    .sheet(claims);
}

async function list(
  run: CommandRun,
  { kind }: CommandOptions & { readonly kind?: FindingKind },
): Promise<Sheet> {
  const { services } = await run.connect();
  const lines = await Array.fromAsync(undecided(services.reviews, kind));
  const rows = lines.map(({ id, state, since, reason, properties }) => [
    ...[id, state, since, reason],
    properties.join(' '),
  ]);
  const columns = ['id', 'state', 'since', 'reason', 'properties'];
  return { json: lines, body: [{ columns, rows, empty: 'Nothing needs review.' }] };
}

async function reject(
  run: CommandRun,
  { wrongMatch }: CommandOptions & { readonly wrongMatch?: true },
  id: string,
): Promise<Sheet> {
  const connection = await run.connect();
  const { requests } = connection.services;
  const services = { ...(await enrichmentServices(connection)), requests };
  const decided = await rejectFinding(services, { ...readId(id), isOtherPerson: wrongMatch });
  if (decided.kind === 'refused') throw notOpen(id, decided);
  const isBusy = decided.statusReset === 'busy';
  const again = 'A worker is updating the record. Reject it again in some minutes to update its status.';
  return {
    json: { id, state: decided.finding.state, ...(isBusy && { statusPending: true }) },
    body: ['Rejected: the record stays as it is until a later answer brings a finding.', isBusy && again],
  };
}

type Accepting = CommandOptions & { readonly all?: boolean; readonly kind?: FindingKind };

/** `review accept`: writes the stored answers, at no cost. */
async function accept(
  run: CommandRun,
  { all = false, kind }: Accepting,
  id: string | undefined,
): Promise<Sheet> {
  if (all === (id !== undefined))
    throw usageError(wording`Give an id of ${command('review list')}, or --all with --kind.`);
  if (all && kind === undefined) throw usageError('Choose the kind of findings with --kind.');
  if (all && kind === 'contradiction')
    throw usageError('A contradiction may be about another person: accept each by its id.');
  const connection = await run.connect();
  const names =
    id === undefined
      ? await Array.fromAsync(undecided(connection.services.reviews, kind), (line) => readId(line.id))
      : [readId(id)];
  if (names.length > 0)
    await run.agree(
      `Stored answers will be written to ${counted(names.length, 'record')}; people's values are kept`,
    );
  const [name] = names;
  if (name && id !== undefined) await confirmIdentity(run, connection, name);
  const results = await carryOut(run, connection, names);
  const [only] = results;
  if (id !== undefined && only?.result === 'refused') throw notOpen(id, only);
  const rows = results.map((each) => [nameOf(each.record), each.kind, each.result, ...resultCells(each)]);
  const columns = ['record', 'kind', 'result', 'written', 'what'];
  return {
    json: results.map(({ record, ...rest }) => ({
      record: nameOf(record),
      ...rest,
      ...('reason' in rest && shownExplanation(rest.reason)),
    })),
    body: [{ columns, rows, empty: 'Nothing needs review.' }],
    exit: results.some(({ result }) => result === 'later') ? EXIT.refused : EXIT.ok,
  };
}

/** Asks a second time before a record takes the identity of another person or company. */
async function confirmIdentity(run: CommandRun, connection: Connection, name: FindingName): Promise<void> {
  const services = await enrichmentServices(connection);
  const [previewed] = await previewFindings(services, name.record.objectType, [name]);
  const taken = (previewed?.changes ?? []).flatMap(({ property, isIdentity }) =>
    isIdentity ? property : [],
  );
  if (taken.length === 0) return;
  await run.agree(`${previewed?.says ?? ''} The record takes ${taken.join(', ')} of the answer`);
}

async function carryOut(
  run: CommandRun,
  connection: Connection,
  names: readonly FindingName[],
): Promise<Acceptance[]> {
  const services = await enrichmentServices(connection);
  const show = run.progress({ total: names.length, noun: 'records' });
  const results: Acceptance[] = [];
  for (const objectType of OBJECT_TYPES) {
    const ofType = names.filter(({ record }) => record.objectType === objectType);
    for (const some of inChunks(ofType, WRITES_AT_ONCE)) {
      show(results.length);
      results.push(...(await acceptFindings(services, objectType, some)));
    }
  }
  return results;
}

function resultCells(acceptance: Acceptance): [written: number | undefined, what: string] {
  switch (acceptance.result) {
    case 'done': {
      const { written, kept, reason } = acceptance;
      const stays = kept.map(({ property, says }) => `${property} was kept: ${says}.`);
      return [written.length, [explanationText(reason), ...stays].join(' ')];
    }
    case 'refused':
      return [undefined, `Already decided: ${acceptance.state}.`];
    default:
      return [undefined, explanationText(acceptance.reason)];
  }
}

function nameOf({ objectType, id }: RecordName): string {
  return `${objectType}/${id}`;
}

/** `about`: the record beside the answer, of a contradiction or a job change. */
const EXPORT_COLUMNS = ['id', 'since', 'reason', 'about', 'property', 'now', 'proposed'] as const;
type Row = Readonly<Record<(typeof EXPORT_COLUMNS)[number], string>>;

/** `review export`: one row for each value that `review accept` would write, for review by people. */
async function exportReview(
  run: CommandRun,
  { kind, json }: CommandOptions & { readonly kind?: FindingKind },
): Promise<Sheet> {
  const rows = rowsOf(await run.connect(), kind);
  return json ? { json: await Array.fromAsync(rows) } : { stream: csvOf(rows) };
}

async function* csvOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield csvRecord(EXPORT_COLUMNS);
  for await (const row of rows) yield csvRecord(EXPORT_COLUMNS.map((column) => row[column]));
}

async function* rowsOf(connection: Connection, kind: FindingKind | undefined): AsyncGenerator<Row> {
  let group: ReviewLine[] = [];
  for await (const line of undecided(connection.services.reviews, kind)) {
    group.push(line);
    if (group.length < WRITES_AT_ONCE) continue;
    yield* await rowsOfGroup(connection, group);
    group = [];
  }
  yield* await rowsOfGroup(connection, group);
}

async function rowsOfGroup(connection: Connection, lines: readonly ReviewLine[]): Promise<Row[]> {
  const services = await enrichmentServices(connection);
  const previewed = [];
  for (const objectType of OBJECT_TYPES) {
    for (const [, ofKind] of Map.groupBy(lines, ({ kind }) => kind)) {
      const names = ofKind
        .map(({ id }) => readId(id))
        .filter(({ record }) => record.objectType === objectType);
      if (names.length > 0) previewed.push(...(await previewFindings(services, objectType, names)));
    }
  }
  const byId = new Map(
    previewed.map(({ record, kind, ...shown }) => [`${record.objectType}/${record.id}/${kind}`, shown]),
  );
  return lines.flatMap(({ id, since, reason }) => {
    const { changes = [], says: about = '' } = byId.get(id) ?? {};
    const finding = { id, since, reason, about };
    if (changes.length === 0) return [{ ...finding, property: '', now: '', proposed: '' }];
    return changes.map(({ property, now, proposed }) => ({ ...finding, property, now: now ?? '', proposed }));
  });
}

/** A charge to claim back from the data service, with the details that the service needs. */
interface Claim {
  /** When the question was sent, ISO 8601. */
  readonly askedAt: string;
  readonly why: 'wrong match' | 'no answer';
  readonly operation: string;
  readonly credits: number;
  readonly requestId: string;
  /** Our key of the question. It contains no personal data. */
  readonly questionKey: string;
}

const CLAIM_COLUMNS = ['askedAt', 'why', 'operation', 'credits', 'requestId'] as const;

async function claims(run: CommandRun): Promise<Sheet> {
  const connection = await run.connect();
  const wrong = await readClaims(connection.services.requests);
  const all = [...wrong.map(claimOf), ...(await unanswered(connection))];
  const found = all.toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
  const table = { ...tableOf(CLAIM_COLUMNS, found), empty: 'Nothing to claim.' };
  // The home page lists the wrong matches, and the requests that are still in doubt.
  const sums = [...Map.groupBy(found, ({ why }) => why)].map(([why, same]) => {
    const credits = same.reduce((sum, claim) => sum + claim.credits, 0);
    return `In all, ${why}: ${counted(same.length, 'charge')}, ${counted(credits, 'credit')}.`;
  });
  return { json: found, body: [table, ...sums] };
}

/** Open doubts, and requests that were booked as charged without an answer. Reads the whole ledger. */
async function unanswered({ services }: Connection): Promise<readonly Claim[]> {
  const sent = new Map<string, string>();
  const claimed = new Map<string, Claim>();
  const why = { why: 'no answer', requestId: '' } as const;
  for await (const entry of readLog(services.ledgerStore)) {
    const { id, kind, atMs, reservationId = '', operation = '', questionKey = '', amountCredits } = entry;
    if (kind === 'pending') sent.set(reservationId, new Date(atMs).toISOString());
    const charge = { ...why, operation, questionKey, credits: amountCredits };
    if (kind === 'posted' && isResolution(entry))
      claimed.set(reservationId, { ...charge, askedAt: sent.get(reservationId) ?? '' });
    // A late answer, or a person, has corrected the charge.
    if (kind === 'late') claimed.delete(reservationId);
    if (kind === 'adjustment') claimed.delete(id.slice(0, id.lastIndexOf(':')));
  }
  for (const { reservationId, sentAtMs, operation, questionKey, credits } of await services.openDoubts()) {
    const askedAt = new Date(sentAtMs).toISOString();
    claimed.set(reservationId, { ...why, askedAt, operation, questionKey, credits });
  }
  return [...claimed.values()].filter(({ credits }) => credits > 0);
}

function claimOf({ askedAtMs, operation, credits, requestId = '', questionKey }: WrongMatch): Claim {
  const askedAt = new Date(askedAtMs).toISOString();
  return { askedAt, why: 'wrong match', operation, credits, requestId, questionKey };
}

/** Yields every undecided finding, page by page. */
async function* undecided(
  reviews: Pick<Reviews, 'page'>,
  kind: FindingKind | undefined,
): AsyncGenerator<ReviewLine> {
  let after: string | undefined;
  do {
    const page = await reviews.page({ kind, after });
    yield* reviewLines(page.values, kind);
    after = page.next;
  } while (after !== undefined);
}

/** Parses `contacts/123/proposal`. @throws CliError if it is not an id of a review. */
function readId(id: string): FindingName {
  const lastSlash = id.lastIndexOf('/');
  const kind = FINDING_KINDS.find((each) => each === id.slice(lastSlash + 1));
  const record = readShortName(id.slice(0, lastSlash));
  if (kind && record) return { record, kind, decidedBy: 'operator' };
  throw new CliError(
    'not-an-id',
    `"${id}" is not an id of a review: an id looks like contacts/123/${FINDING_KINDS[0]}.`,
  );
}

function notOpen(
  id: string,
  { state, decidedBy: by, decidedAtMs }: Omit<Extract<Decided, { kind: 'refused' }>, 'kind'>,
): CliError {
  if (state === 'none')
    return new CliError(
      'not-open',
      wording`Nothing needs review under ${id}; see: ${command('review list')}`,
    );
  const at = decidedAtMs === undefined ? undefined : new Date(decidedAtMs).toISOString();
  const message = `${id} is already ${decisionWords(state, by)}${at === undefined ? '' : ` at ${at}`}.`;
  return new CliError('not-open', message, { params: { state, by, at } });
}
