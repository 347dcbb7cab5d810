import { expect, it } from 'vitest';
import { ledgerEntryKind } from '#shared/credit-ledger';
import { questionKey, questionKind } from '#shared/questions';
import { putsOf } from '../../../harness/watched-store.ts';
import { digest, openGateway, profile } from './asking.ts';

type Worker = ReturnType<ReturnType<typeof openGateway>['worker']>;

/** An ask during which something happens right before its request is marked, or before its charge is booked. */
async function askedWhile(befall: (other: Worker) => Promise<unknown>, before: 'mark' | 'booking' = 'mark') {
  const gateway = openGateway();
  const other = gateway.worker('other');
  let marks = 0;
  let wasBooking = false;
  const worker = gateway.worker('struck', {
    watch: async (request, send) => {
      const isMark = putsOf(request, questionKind).some(({ value }) => value.attempt?.state === 'in-flight');
      const isBooking = putsOf(request, ledgerEntryKind).some(({ value }) => value.kind === 'posted');
      if (isMark) marks += 1;
      if (before === 'mark' ? isMark && marks === 1 : isBooking && !wasBooking) await befall(other);
      wasBooking ||= isBooking;
      return send();
    },
  });
  const result = await worker.ask(profile());
  const kept = (await gateway.item(profile()))?.answer?.kind;
  return { result, marks, calls: gateway.calls.length, kinds: await gateway.kinds(), kept };
}

const NOTHING_SENT = { marks: 1, calls: 0, kinds: [], kept: undefined };
const forget = ({ services }: Worker) => services.suppressionList.add([questionKey(profile(), digest)]);

it('nobody is asked about who is forgotten between the look and the mark', async () => {
  expect(await askedWhile(forget)).toEqual({
    ...NOTHING_SENT,
    result: expect.objectContaining({ kind: 'forgotten' }),
  });
});

it('nothing is sent where a person stops spending between the look and the mark', async () => {
  const stop = ({ services }: Worker) => services.breakers.stop({ reason: 'the bill' });
  const result = expect.objectContaining({ kind: 'waiting', reason: 'stopped-by-person' });
  expect(await askedWhile(stop)).toEqual({ ...NOTHING_SENT, result });
});

it('a slot and credits that another worker takes meanwhile are not taken twice', async () => {
  const { result, marks, calls, kinds } = await askedWhile((other) => other.ask(profile([], 1)));
  expect(result).toMatchObject({ kind: 'found', credits: 1 });
  expect({ marks, calls, kinds }).toEqual({
    marks: 2,
    calls: 2,
    kinds: ['pending 1', 'posted 1', 'pending 1', 'posted 1'],
  });
});

it('the charge of a person who is forgotten before it is booked is booked, and the answer is gone', async () => {
  expect(await askedWhile(forget, 'booking')).toMatchObject({
    result: { kind: 'forgotten', credits: 1 },
    calls: 1,
    kinds: ['pending 1', 'posted 1'],
    kept: 'forgotten',
  });
});

it('the report of an answer waits for the next mark, which writes it', async () => {
  const gateway = openGateway();
  const answered = async () => (await gateway.limiter())?.slots.map((slot) => slot.answered === true);
  await gateway.ask(profile());
  expect(await answered()).toEqual([false]);
  await gateway.ask(profile([], 1));
  expect(await answered()).toEqual([true, false]);
});
