import { Command, Option } from 'commander';
import { counted, instant } from '#shared/kernel';
import {
  priceOfQuestion,
  type Question,
  type QuestionOperation,
  type QuestionOption,
} from '#shared/questions';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { EXIT } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import { printJson, printRecord } from '../../terminal/output.ts';
import { CHOSEN_COLUMNS } from '../../terminal/record-fields.ts';
import { type AskOptions, waitMsOf, withAskOptions } from './ask-options.ts';
import { createAsker, type GatewayAnswer } from './asker.ts';
import {
  companyQuestion,
  emailQuestion,
  type Options,
  type PersonWords,
  personQuestion,
  phoneQuestion,
  profileQuestion,
} from './lookup-questions.ts';
import { addedPrice, basePrice, lookupPriceLine } from './price-line.ts';

/** `lookup person|profile|company|email|phone`: one record a question. */
export function lookupCommand(cli: Cli): Command {
  const lookup = new Command('lookup').description('ask for one person or company');
  addPersonLookups(lookup, cli);
  add(lookup, { words: 'company <domain-or-page>', about: 'a company', operation: 'companyProfile' })
    .addOption(addition('companyProfile', 'funding', 'its funding'))
    .addOption(addition('companyProfile', 'technology', 'its technology'))
    .addOption(addition('companyProfile', 'contacts', 'some of its people'))
    .addHelpText('after', example('lookup company acme.example --funding'))
    .action((words: string, options: Options & AskOptions) =>
      answer(cli, companyQuestion(words, options), options),
    );
  add(lookup, { words: 'email <address>', about: 'a person by email address', operation: 'reverseEmail' })
    .addHelpText('after', example('lookup email jane.roe@acme.example'))
    .action((address: string, options: AskOptions) => answer(cli, emailQuestion(address), options));
  const byPhone = 'a person by phone number, best with its country code';
  add(lookup, { words: 'phone <number>', about: byPhone, operation: 'reversePhone' })
    .addHelpText('after', example('lookup phone "+1 202 555 0123"'))
    .action((number: string, options: AskOptions) => answer(cli, phoneQuestion(number), options));
  return lookup;
}

function addPersonLookups(lookup: Command, cli: Cli): void {
  add(lookup, { words: 'person', about: 'a person by name and company', operation: 'lookUpPerson' })
    .requiredOption('--domain <domain>', 'domain of the company', text)
    .requiredOption('--first <name>', 'first name', text)
    .option('--last <name>', 'last name; finds the right person far more often', text)
    .option('--title <title>', 'job title, to choose among several', text)
    .option('--location <place>', 'city, state or country, to choose among several', text)
    .addOption(addition('lookUpPerson', 'email', 'the email address'))
    .addOption(addition('lookUpPerson', 'phone', 'the mobile number'))
    .addHelpText('after', example('lookup person --domain acme.example --first Jane --email'))
    .action((options: PersonWords & Options & AskOptions) =>
      answer(cli, personQuestion(options, options), options),
    );
  add(lookup, { words: 'profile <url>', about: 'a person by profile page', operation: 'personProfile' })
    .addOption(addition('personProfile', 'email', 'the email address'))
    .addOption(addition('personProfile', 'phone', 'the mobile number'))
    .addHelpText('after', example('lookup profile https://network.example/in/jane --email'))
    .action((url: string, options: Options & AskOptions) =>
      answer(cli, profileQuestion(url, options), options),
    );
}

interface Named {
  readonly words: string;
  readonly about: string;
  readonly operation: QuestionOperation;
}

function add(lookup: Command, { words, about, operation }: Named): Command {
  return withAskOptions(lookup.command(words).description(`${about}: ${basePrice(operation)}`));
}

function addition(operation: QuestionOperation, option: QuestionOption, about: string): Option {
  return new Option(`--${option}`, `also ${about}, ${addedPrice(operation, { option })}`);
}

async function answer(cli: Cli, question: Question, options: AskOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async (connection) => {
    const asker = createAsker(connection, { io, waitMs: waitMsOf(options) });
    const credits = (await asker.stored(question)) ? 0 : priceOfQuestion(question);
    if (credits > 0) {
      const price = await lookupPriceLine(connection, question);
      await consent(io, { question: price, yes: options.yes ?? false });
    }
    const answered = await asker.ask(question, credits);
    if (options.json) printJson(io, lookupJson(question, answered));
    else printAnswer(cli, { question, answered, connection, options });
    if (answered.kind === 'no-match') cli.end(EXIT.notFound);
  });
}

type Lookup = GatewayAnswer & { readonly fromStore: boolean };

function lookupJson({ operation }: Question, answered: Lookup): unknown {
  const { kind, credits, fromStore, askedAtMs, expiresAtMs, questionKey } = answered;
  return {
    operation,
    found: kind === 'found',
    record: kind === 'found' ? answered.record : null,
    credits,
    fromStore,
    askedAt: new Date(askedAtMs).toISOString(),
    freshUntil: new Date(expiresAtMs).toISOString(),
    questionKey,
  };
}

interface Shown {
  readonly question: Question;
  readonly answered: Lookup;
  readonly connection: Connection;
  readonly options: AskOptions;
}

function printAnswer({ io }: Cli, { question, answered, connection, options }: Shown): void {
  const chosen = CHOSEN_COLUMNS[question.operation];
  if (answered.kind === 'found') printRecord(io, { record: answered.record, chosen }, options);
  const { timeZone } = connection.policy;
  const say = options.csv ? io.err : io.out;
  if (answered.kind === 'no-match')
    say(`No match; not asked again before ${instant(answered.expiresAtMs, timeZone)}.\n`);
  say(`${costLine(answered, timeZone)}\n`);
}

function costLine({ credits, fromStore, askedAtMs, expiresAtMs }: Lookup, timeZone: string): string {
  if (!fromStore) return `Cost: ${counted(credits, 'credit')}.`;
  const [asked, until] = [instant(askedAtMs, timeZone), instant(expiresAtMs, timeZone)];
  return `Cost: 0 credits, from the store; asked ${asked}, fresh until ${until} (${timeZone}).`;
}
