import type { Command } from 'commander';
import { recordKey } from '#shared/crm';
import { counted } from '#shared/kernel';
import { type Forgotten, forgetPerson } from '#shared/privacy';
import { allKeys, identifierKeys } from '#shared/questions';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, withJson } from '../../terminal/output.ts';
import { readName } from './find-record.ts';

type Services = Parameters<Parameters<Cli['connected']>[0]>[0]['services'];
type ForgetOptions = OutputOptions & { readonly yes?: boolean };

/** `forget`: removes what is held about a person, and keeps hashes so that nothing is asked about them again. */
export function addForget(program: Command, cli: Cli): void {
  withJson(program.command('forget <person>'))
    .description('forget somebody for good: an email, contacts/<id>, or its address in HubSpot')
    .option('-y, --yes', 'agree beforehand; it cannot be undone')
    .addHelpText('after', example('forget contacts/123 --yes'))
    .action((words: string, options: ForgetOptions) => forget(cli, words, options));
}

async function forget(cli: Cli, words: string, { json, yes = false }: ForgetOptions): Promise<void> {
  const named = readName(words);
  if ('domain' in named || ('id' in named && named.objectType !== 'contacts'))
    throw usageError('A company is no person: give an email or contacts/<id>.');
  const question =
    'Everything that is held about this person here will be removed for good; HubSpot is left as it is';
  await cli.connected(async ({ services }) => {
    // Only now, because the installation is named before the question.
    await consent(cli.io, { question, yes });
    const identifiers =
      'id' in named
        ? await identifiersOf(services, recordKey(named))
        : allKeys(identifierKeys({ emails: [named.email] }, services.digest));
    const forgotten = await forgetPerson(services.forgetting, identifiers);
    const records = Math.max(forgotten.records, 'id' in named ? 1 : 0);
    print(cli, { ...forgotten, records }, json);
  });
}

/** A record that was never looked at still gets its mark of a forgetting, but there is nothing to know its person by. */
async function identifiersOf({ forgetting, records }: Services, key: string): Promise<readonly string[]> {
  if (!(await records.read(key))) {
    const message = 'Nothing is held under this record; if you know the email, forget that.';
    throw new CliError(message, { exit: EXIT.notFound, code: 'no-record' });
  }
  return forgetting.forgetRecord(key);
}

function print({ io }: Cli, { records, answers, entries, identifiers }: Forgotten, json = false): void {
  if (json) {
    printJson(io, { records, answers, entries, identifiers });
    return;
  }
  const removed = [
    counted(records, 'record'),
    counted(answers, 'answer'),
    counted(entries, 'entry').replace(/ys$/, 'ies'),
  ];
  io.out(`Removed what was held in ${removed.join(', ')} of lists.\n`);
  io.out(`${counted(identifiers, 'identifier')} will not be asked about again.\n`);
}
