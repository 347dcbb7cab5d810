import { verifyNewest } from '#shared/credit-ledger';
import {
  createBackfills,
  createExecutions,
  createPolicies,
  createRequests,
} from '#shared/enrichment/adapters';
import { createHomes } from '#shared/home/adapters';
import { correctedClock } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { createForgetting } from '#shared/privacy';
import {
  createDoubtReaders,
  createFindings,
  createUnknownMisses,
  readSentEntries,
} from '#shared/questions/adapters';
import { createRateReader } from '#shared/rate-limiter/adapters';
import {
  createClaims,
  createCounted,
  createDynamoDays,
  createDynamoWriteBreakers,
  createPortal,
  createStatus,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { createSpend } from '#shared/spend/adapters';
import type { Storage } from '#shared/store';
import { type AskingSettings, createAsking } from './asking.aws.ts';
import { createBooks } from './books.aws.ts';
import { type CrmSettings, createCrm } from './crm.aws.ts';
import { createRecords, createRounds } from './records.aws.ts';

export interface ServicesSettings extends Omit<AskingSettings, 'digest' | 'tables'>, CrmSettings, Storage {
  readonly installationSecret: string;
  readonly hubSpot: CrmSettings['hubSpot'] & {
    /** The HubSpot account of this installation. If absent, it is read from HubSpot at the first start. */
    readonly portalId?: string | undefined;
  };
  readonly policy: AskingSettings['policy'];
}

export type Services = ReturnType<typeof createServices>;

/** Creates all services, for programs that need all of them. Opens no connection and sends no request yet. */
export function createServices(given: ServicesSettings) {
  const digest = createDigest(given.installationSecret);
  const clock = correctedClock(given.clock, given.referenceClock);
  const settings = { ...given, digest, clock };
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
    days: createDynamoDays(settings),
    companyClaims: createClaims(settings),
    forgetting,
    ...createDoubtReaders(settings),
    sentEntries: () => readSentEntries(given),
    checkBooks: () => verifyNewest(ledgerStore, { account: given.account, digest }),
    spendBook: createSpend(settings, ledgerStore),
    ...createBackfills(settings),
    ...createRequests(settings),
    executions: createExecutions(settings),
    homes: createHomes(settings),
    policies: createPolicies(settings),
    status: createStatus(settings),
    rounds: createRounds(settings, { records, forgetting, crm, portal }),
    counted: createCounted(settings),
    ratePerMinute: createRateReader(settings),
    findings: createFindings(settings),
    unknownMisses: createUnknownMisses(settings),
    portal,
  };
}
