import { isAboutPerson, type RecordName, recordKey } from '#shared/crm';
import { counted } from '#shared/kernel';
import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { recordKind } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { nameRecord } from './find-record.ts';

/** `forget`: removes the stored data of a person, and keeps hashes that prevent another lookup. */
export function addForget(program: SheetCommand): void {
  program
    .command('forget <person>')
    .description('delete a person for good; give an email, contacts/<id> or its HubSpot URL')
    .yes('agree beforehand; it cannot be undone')
    .example('contacts/123 --yes')
    .sheet(forget);
}

async function forget(run: CommandRun, _: CommandOptions, words: string): Promise<Sheet> {
  const connection = await run.connect();
  const named = await nameRecord(connection, words);
  if ('domain' in named || ('id' in named && !isAboutPerson(named)))
    throw new CliError('A company is not a person: give an email or contacts/<id>.', {
      code: 'not-a-person',
    });
  const { services } = connection;
  await run.agree('All data stored here about this person will be deleted for good. HubSpot does not change');
  const known =
    'id' in named
      ? await identifiersOf(services, named)
      : allKeys(identifierKeys({ emails: [named.email] }, services.digest));
  const forgotten = await forgetPerson(services.forgetting, known);
  const { answers, entries, identifiers } = forgotten;
  const records = Math.max(forgotten.records, 'id' in named ? 1 : 0);
  const removed = [counted(records, 'record'), counted(answers, 'answer'), counted(entries, 'entry')];
  return {
    json: { records, answers, entries, identifiers },
    body: [
      `Removed the person from ${removed.join(', ')} of lists.`,
      `${counted(identifiers, 'identifier')} will not be looked up again.`,
    ],
  };
}

/**
 * Marks the record's person as erased ("forgotten").
 * @returns the identifiers of its person.
 * @throws CliError if no data about the record is stored
 */
async function identifiersOf(
  { forgetting, records }: Connection['services'],
  record: RecordName,
): Promise<readonly string[]> {
  if (!(await records.read(recordKind.key(record)))) {
    const message = 'No data about this record is stored. If you know the email, forget that.';
    throw new CliError(message, { code: 'no-record' });
  }
  return forgetting.forgetRecord(recordKey(record));
}
