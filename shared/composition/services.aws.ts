import { createDigest } from '#shared/kernel/adapters';
import { createForgetting } from '#shared/privacy';
import { readSentEntries } from '#shared/questions/adapters';
import type { TableName } from '#shared/versioned-items';
import { watchStoreClock } from '#shared/versioned-items/adapters';
import { type AskingSettings, createAsking, createUnknownMisses } from './asking.aws.ts';
import {
  createAudit,
  createBooks,
  createCheckOfBooks,
  createLedgerFault,
  createSetBack,
} from './books.aws.ts';
import { type CrmSettings, createCrm } from './crm.aws.ts';
import { createDoubtReaders, createRateReader } from './questions.aws.ts';
import {
  createBackfills,
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyBrought,
  createDynamoReviews,
  createDynamoWriteBreakers,
  createExecutions,
  createFindings,
  createPolicies,
  createPortal,
  createRecords,
  createRequests,
  createRounds,
  createWriteJournal,
} from './records.aws.ts';
import { createSpend } from './spend.aws.ts';
import type { Storage } from './storage.aws.ts';

export interface ServicesSettings
  extends Omit<AskingSettings, 'digest' | 'tables' | 'storeClock'>,
    CrmSettings,
    Storage<TableName> {
  readonly installationSecret: string;
  readonly hubSpot: CrmSettings['hubSpot'] & {
    /** The account that we work for; learned at the first start unless given. */
    readonly portalId?: string | undefined;
  };
  readonly policy: AskingSettings['policy'];
}

export type Services = ReturnType<typeof createServices>;

/** All groups, for those who need them all: nothing is opened or called yet. */
export function createServices(given: ServicesSettings) {
  const digest = createDigest(given.installationSecret);
  const settings = { ...given, digest, storeClock: watchStoreClock(given.dynamo, given.clock) };
  const { ledgerStore, ledger } = createBooks(settings);
  const asking = createAsking(settings, ledger);
  const { hubSpot, crm } = createCrm(settings);
  const records = createRecords(settings);
  const journal = createWriteJournal(settings);
  const reviews = createDynamoReviews(settings);
  const forgetting = createForgetting({ ...asking.questions, records, journal, reviews });
  const { portalId: configured } = given.hubSpot;
  const portal = createPortal(settings, { configured, account: hubSpot.accountDetails });
  return {
    ...asking,
    digest,
    hubSpot,
    ledgerStore,
    ledger,
    crm,
    records,
    journal,
    reviews,
    writeBreakers: createDynamoWriteBreakers(settings),
    dailyBrought: createDynamoDailyBrought(settings),
    companyClaims: createClaims(settings),
    forgetting,
    ...createDoubtReaders(settings),
    sentEntries: () =>
      readSentEntries({ client: given.dynamo, tableName: given.tables.questions, account: given.account }),
    auditBooks: createAudit(settings, ledgerStore),
    checkBooks: createCheckOfBooks(settings, ledgerStore),
    ledgerFault: createLedgerFault(settings),
    setBackBooks: createSetBack(settings),
    spendBook: createSpend(settings, ledgerStore),
    ...createBackfills(settings),
    ...createRequests(settings),
    executions: createExecutions(settings),
    policies: createPolicies(settings),
    cursors: createCursors(settings),
    rounds: createRounds(settings, { records, forgetting, crm, portal }),
    counted: createCounted(settings),
    ratePerMinute: createRateReader(settings),
    findings: createFindings(settings),
    unknownMisses: createUnknownMisses(settings),
    portal,
  };
}
