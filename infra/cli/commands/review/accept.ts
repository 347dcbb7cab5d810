import { OBJECT_TYPES, type RecordName, WRITES_AT_ONCE } from '#shared/crm';
import { type Acceptance, acceptFindings, type FindingName } from '#shared/enrichment';
import type { KeptReason } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import type { FindingKind } from '#shared/review';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { EXIT, usageError } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { notOpen, readId, undecided } from './findings.ts';

export interface Accepting extends OutputOptions {
  readonly all?: boolean;
  readonly kind?: FindingKind;
  readonly yes?: boolean;
}

/** `review accept`: writes what the stored answers say, at no cost. */
export async function accept(cli: Cli, id: string | undefined, options: Accepting): Promise<void> {
  const { all = false, kind, yes = false } = options;
  if (all === (id !== undefined)) throw usageError('Give an id of review list, or --all with --kind.');
  if (all && kind === undefined) throw usageError('Say with --kind which kind of findings to accept.');
  await cli.connected(async (connection) => {
    const names = id === undefined ? await namesOf(connection, kind) : [readId(id)];
    if (names.length === 0) return done(cli, [], options);
    const question = `Stored answers will be written to ${counted(names.length, 'record')}; people's values stay`;
    await consent(cli.io, { question, yes });
    const results = await carryOut(cli, connection, names);
    const [only] = results;
    if (id !== undefined && only?.result === 'refused') throw notOpen(id, only.state);
    if (results.some(({ result }) => result === 'later')) cli.end(EXIT.refused);
    done(cli, results, options);
  });
}

async function namesOf({ services }: Connection, kind: FindingKind | undefined): Promise<FindingName[]> {
  const lines = await Array.fromAsync(undecided(services.reviews, kind));
  return lines.map((line) => readId(line.id));
}

async function carryOut(
  { io }: Cli,
  connection: Connection,
  names: readonly FindingName[],
): Promise<Acceptance[]> {
  const services = enrichmentServices(connection);
  const progress = createProgress(io, { total: names.length, noun: 'records' });
  const results: Acceptance[] = [];
  for (const objectType of OBJECT_TYPES) {
    const ofType = names.filter(({ record }) => record.objectType === objectType);
    for (let from = 0; from < ofType.length; from += WRITES_AT_ONCE) {
      results.push(
        ...(await acceptFindings(services, objectType, ofType.slice(from, from + WRITES_AT_ONCE))),
      );
      progress.update(results.length);
    }
  }
  progress.end();
  return results;
}

const KEPT: Readonly<Record<KeptReason, string>> = {
  'person-wrote': 'a person wrote it',
  cleared: 'a person emptied it',
  pinned: 'a person brought it back',
  same: 'it says so already',
  never: 'the policy writes it never',
  'not-blank': 'it is filled',
  'not-read': 'HubSpot did not tell it',
};

function done({ io }: Cli, results: readonly Acceptance[], options: OutputOptions): void {
  if (options.json) {
    printJson(
      io,
      results.map(({ record, ...rest }) => ({ record: nameOf(record), ...rest })),
    );
    return;
  }
  const rows = results.map((each) => [nameOf(each.record), each.kind, each.result, ...told(each)]);
  if (rows.length === 0) io.out('Nothing is up for review.\n');
  else printSheet(io, { columns: ['record', 'kind', 'result', 'written', 'what'], rows }, options);
}

function told(acceptance: Acceptance): [written: string, what: string] {
  switch (acceptance.result) {
    case 'done': {
      const { written, kept, reason } = acceptance;
      const stays = kept.map(({ property, reason }) => `${property} stays: ${KEPT[reason]}.`);
      return [`${written.length}`, [reason, ...stays].join(' ')];
    }
    case 'refused':
      return ['', `Decided already: ${acceptance.state}.`];
    default:
      return ['', acceptance.reason];
  }
}

function nameOf({ objectType, id }: RecordName): string {
  return `${objectType}/${id}`;
}
