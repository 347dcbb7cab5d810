import { type CreditLedger, joinReaders, type LedgerCommand } from '#shared/credit-ledger';
import { VENDORS, type VendorOffer } from '#shared/vendor';
import type { AskGateway } from './gateway.ts';
import { LOOKUPS, type Question, vendorOf } from './question.ts';

/**
 * Several vendors side by side. Each has its own prices, rate, breakers, budgets and ledger. The people in answers, the
 * suppression list, the disclosures and a person's stop belong to the buyer, so they hold for all vendors.
 */
export type AtVendor<T> = (vendor: VendorOffer) => T;

/** Sends each question to its vendor. */
export function createGatewayToAll(gatewayOf: AtVendor<AskGateway>): AskGateway {
  const gatewayFor = ({ operation }: Question) => gatewayOf(LOOKUPS[operation].vendor);
  return {
    look: (question) => gatewayFor(question).look(question),
    stored: (question) => gatewayFor(question).stored(question),
    ask: (request) => gatewayFor(request.question).ask(request),
    obstacle: (asked) => gatewayFor(asked.question).obstacle(asked),
    chargeOf: (attempt) => gatewayOf(vendorOf(attempt.questionKey)).chargeOf(attempt),
  };
}

/** Books each reservation in the ledger of its vendor. What names no question is about the first vendor. */
export function createLedgerOfAll(ledgerOf: AtVendor<CreditLedger>): CreditLedger {
  const [first, ...others] = VENDORS;
  const ledgers = [ledgerOf(first), ...others.map(ledgerOf)] as const;
  const ledgerFor = (command: LedgerCommand) =>
    ledgerOf(vendorOf('questionKey' in command ? command.questionKey : idOf(command)));
  return {
    ...joinReaders(ledgers),
    apply: (command) => ledgerFor(command).apply(command),
    preview: (command) => ledgerFor(command).preview(command),
    chargedFor: (reservationId) => ledgerOf(vendorOf(reservationId)).chargedFor(reservationId),
    setBack: async (reason) => (await Promise.all(ledgers.map((each) => each.setBack(reason)))).find(Boolean),
  };
}

function idOf(command: Exclude<LedgerCommand, { readonly questionKey: string }>): string {
  return 'reservationId' in command ? command.reservationId : command.id;
}
