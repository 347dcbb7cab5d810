import { OBJECT_TYPES, type RecordName, WRITES_AT_ONCE } from '#shared/crm';
import { type Acceptance, acceptFindings, type FindingName } from '#shared/enrichment';
import { command, counted, wording } from '#shared/kernel';
import { explanationText, shownExplanation } from '#shared/records';
import type { FindingKind } from '#shared/review';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import { EXIT, usageError } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { notOpen, readId, undecided } from './findings.ts';

type Accepting = CommandOptions & { readonly all?: boolean; readonly kind?: FindingKind };

/** `review accept`: writes the stored answers, at no cost. */
export async function accept(
  run: CommandRun,
  { all = false, kind }: Accepting,
  id: string | undefined,
): Promise<Sheet> {
  if (all === (id !== undefined))
    throw usageError(wording`Give an id of ${command('review list')}, or --all with --kind.`);
  if (all && kind === undefined) throw usageError('Choose the kind of findings with --kind.');
  const connection = await run.connect();
  const names = id === undefined ? await namesOf(connection, kind) : [readId(id)];
  if (names.length > 0)
    await run.agree(
      `Stored answers will be written to ${counted(names.length, 'record')}; people's values are kept`,
    );
  const results = await carryOut(run, connection, names);
  const [only] = results;
  if (id !== undefined && only?.result === 'refused') throw notOpen(id, only.state);
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

async function namesOf({ services }: Connection, kind: FindingKind | undefined): Promise<FindingName[]> {
  const lines = await Array.fromAsync(undecided(services.reviews, kind));
  return lines.map((line) => readId(line.id));
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
    for (let from = 0; from < ofType.length; from += WRITES_AT_ONCE) {
      show(results.length);
      const some = ofType.slice(from, from + WRITES_AT_ONCE);
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
