import { counted, instant } from '#shared/kernel';
import { LOOKUPS, priceOfQuestion, type Question, type QuestionOperation } from '#shared/questions';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import { CHOSEN_COLUMNS } from '../../terminal/record-fields.ts';
import { fieldTable, recordTable, type Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withAskOptions } from './ask-options.ts';
import { CUT_NOTE, createAsker, type GatewayAnswer } from './asker.ts';
import { lookupQuestion, parameterOf } from './lookup-questions.ts';
import { flagsOf, givenIn, operationOptions } from './operation-options.ts';
import { basePrice, lookupPriceLine } from './price-line.ts';

interface LookupKind {
  readonly operation: QuestionOperation;
  /** Name of the argument that is typed without a flag. */
  readonly argument?: string;
  readonly about: string;
  readonly example: string;
}

/** `lookup person|profile|company|email|phone`: each looks up one record. */
const COMMANDS: Readonly<Record<string, LookupKind>> = {
  person: {
    operation: 'lookUpPerson',
    about: 'a person by name and company',
    example: '--domain acme.example --first Jane --email',
  },
  profile: {
    operation: 'personProfile',
    argument: '<url>',
    about: 'a person by profile page',
    example: 'https://network.example/in/jane --email',
  },
  company: {
    operation: 'companyProfile',
    argument: '<domain-or-page>',
    about: 'a company',
    example: 'acme.example --funding',
  },
  email: {
    operation: 'reverseEmail',
    argument: '<address>',
    about: 'a person by email address',
    example: 'jane.roe@acme.example',
  },
  phone: {
    operation: 'reversePhone',
    argument: '<number>',
    about: 'a person by phone number, best with its country code',
    example: '"+1 202 555 0123"',
  },
};

type LookupOptions = CommandOptions & WaitOptions & Readonly<Record<string, unknown>>;

export function addLookup(program: SheetCommand): void {
  const lookup = program.command('lookup').description('look up one person or company');
  for (const [name, { operation, argument = '', about, example }] of Object.entries(COMMANDS)) {
    const known = operationOptions(operation);
    const command = lookup.command(`${name} ${argument}`).description(`${about}: ${basePrice(operation)}`);
    for (const [, option] of [...known.parameters, ...known.additions]) command.addOption(option);
    withAskOptions(command)
      .example(example)
      .sheet((run, options: LookupOptions, words: string | undefined) => {
        const parameter = words === undefined ? undefined : parameterOf(operation, words);
        const given = { ...givenIn(known, options), ...(parameter && { [parameter]: words }) };
        const names = { ...flagsOf(known), ...(parameter && { [parameter]: argument }) };
        return answer(run, lookupQuestion(operation, given, names), options);
      });
  }
}

async function answer(run: CommandRun, question: Question, options: LookupOptions): Promise<Sheet> {
  const connection = await run.connect();
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(options) });
  const credits = (await asker.stored(question)) ? 0 : priceOfQuestion(question);
  if (credits > 0) await run.agree(await lookupPriceLine(connection, question));
  const answered = await asker.ask(question, credits);
  return lookupSheet(connection, { question, answered, options });
}

type Lookup = GatewayAnswer & { readonly fromStore: boolean };

interface Shown {
  readonly question: Question;
  readonly answered: Lookup;
  readonly options: LookupOptions;
}

function lookupSheet({ policy }: Connection, { question, answered, options }: Shown): Sheet {
  const { operation } = question;
  const { credits, fromStore, askedAtMs, expiresAtMs, questionKey } = answered;
  const { record, isCut = false } = answered.kind === 'found' ? answered : {};
  const chosen = CHOSEN_COLUMNS[LOOKUPS[operation].about];
  const miss = `No match. It is not looked up again before ${instant(expiresAtMs, policy.timeZone)}.`;
  return {
    json: {
      operation,
      found: record !== undefined,
      record: record ?? null,
      isCut,
      credits,
      fromStore,
      askedAt: new Date(askedAtMs).toISOString(),
      freshUntil: new Date(expiresAtMs).toISOString(),
      questionKey,
    },
    ...(record && {
      body: [fieldTable(record, chosen, options)],
      csv: recordTable([record], chosen, options),
    }),
    notes: [...(record ? [] : [miss]), ...(isCut ? [CUT_NOTE] : []), costLine(answered, policy.timeZone)],
    exit: record ? EXIT.ok : EXIT.notFound,
  };
}

function costLine({ credits, fromStore, askedAtMs, expiresAtMs }: Lookup, timeZone: string): string {
  if (!fromStore) return `Cost: ${counted(credits, 'credit')}.`;
  const [asked, until] = [instant(askedAtMs, timeZone), instant(expiresAtMs, timeZone)];
  return `Cost: 0 credits, from the store; asked ${asked}, fresh until ${until} (${timeZone}).`;
}
