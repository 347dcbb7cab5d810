import { SECOND_MS } from '#shared/kernel';
import { change } from '#shared/versioned-items';
import { stateOfNote } from '../answers/note-state.ts';
import { type LeftOutReason, take } from '../answers/notes.ts';
import { askNow } from '../ask/ask-now.ts';
import type { Reserved } from '../ask/reserve.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { companyKey, type Question, questionKey } from '../question.ts';
import type { QuestionItem } from '../schemas.ts';
import { questionKind } from '../stored-kinds.ts';
import { type CompaniesRequest, RESULT_CREDITS } from './companies-result.ts';

/** The notes of a batch are written in parallel, usually in less than a second. */
const ASSEMBLING_MS = 5 * SECOND_MS;

export interface AskedBatch {
  readonly key: string;
  /** Domains that were sent in the search. */
  readonly sent: readonly string[];
  /** Domains that were not sent, with the reason. */
  readonly leftOut: ReadonlyMap<string, LeftOutReason | 'doubt'>;
  readonly result: AskResult | { readonly kind: 'again' };
}

/**
 * Looks up companies in one search. A slot and credits are reserved as for any question. Then a note is stored on each
 * company's own question. Then one write makes the list final and marks the batch as in flight, unless another process
 * has stopped the batch.
 */
export async function askBatch(
  services: GatewayServices,
  { domains, commit, ...request }: Omit<CompaniesRequest, 'knownOnly' | 'isCovered'>,
): Promise<AskedBatch> {
  const batch = services.newNonce();
  const question = batchQuestion(batch, domains);
  const key = questionKey(question, services.digest);
  const keyed: KeyedRequest = { ...request, question, key };
  let sent: readonly string[] = [];
  const leftOut = new Map<string, LeftOutReason | 'doubt'>();
  const fixList = async (reserved: Reserved) => {
    const taken = await Promise.all(
      domains.map(async (domain) => {
        const reason = await takeCompany(services, keyed, { domain, reserved });
        if (reason || !commit) return reason;
        const { reservationId } = reserved;
        const attempt = { questionKey: key, reservationId, companyKey: companyKey(domain, services.digest) };
        return (await commit(domain, { ...attempt, credits: RESULT_CREDITS })) ? undefined : 'noted';
      }),
    );
    sent = domains.filter((domain, nth) => {
      const reason = taken[nth];
      if (reason) leftOut.set(domain, reason);
      return !reason;
    });
    return sent.length === 0 ? undefined : { ...keyed, question: batchQuestion(batch, sent) };
  };
  const result = await askNow(services, keyed, undefined, fixList);
  return { key, sent, leftOut, result };
}

/** The page size is one result for each domain, because more results would be useless but charged. */
function batchQuestion(batch: string, domains: readonly string[]): Question {
  const parameters = { batch, domains: domains.join(','), page: String(domains.length) };
  return { operation: 'companiesByDomain', parameters, options: [] };
}

/** Adds a company to the batch. @returns why the company is left out; `undefined` if it is added. */
async function takeCompany(
  services: GatewayServices,
  { key: batch }: KeyedRequest,
  { domain, reserved: { reservationId } }: { readonly domain: string; readonly reserved: Reserved },
): Promise<LeftOutReason | 'doubt' | undefined> {
  const { items, clock, digest } = services;
  const key = companyKey(domain, digest);
  const note = { batch, reservationId, untilMs: clock.now() + ASSEMBLING_MS };
  const decide = async (item: QuestionItem | undefined) => {
    const taken = take(item, { key, note, nowMs: clock.now() });
    const held = item?.note;
    if (taken.kind === 'next' || taken.reason !== 'noted' || !held) return taken;
    const state = await stateOfNote(services, held);
    if (state === 'in-doubt') return { kind: 'refused', reason: 'doubt', value: undefined } as const;
    return take(item, {
      key,
      note,
      nowMs: clock.now(),
      over: state === 'over' ? held.reservationId : undefined,
    });
  };
  const taken = await change(items, { key: questionKind.key(key), kind: 'question', clock }, decide);
  return taken.kind === 'refused' ? taken.reason : undefined;
}
