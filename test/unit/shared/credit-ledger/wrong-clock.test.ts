import { describe, expect, it } from 'vitest';
import type { LedgerCommand } from '#inside/credit-ledger/command.ts';
import { createMemoryLedgerStore } from '#inside/credit-ledger/store.memory.ts';
import { DAY_MS, HOUR_MS } from '#inside/kernel/clock.ts';
import { adjust, doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

const NOW = '2026-11-18T12:00:00Z';

/** Books with two open reservations, and the same books seen by a machine whose clock is wrong. */
async function openWrong(aheadMs: number, budgets = { perDay: 20 }) {
  const store = createMemoryLedgerStore();
  const right = openBooks({ at: NOW, store, budgets });
  await right.append(reserve('a:1'));
  const at = new Date(Date.parse(NOW) + aheadMs).toISOString();
  return { right, wrong: openBooks({ at, store, budgets, aheadMs }) };
}

const proved: LedgerCommand = { ...adjust('a:1:proved', 3), isProved: true } as LedgerCommand;

describe.each([2 * DAY_MS, 6_000, -HOUR_MS, -2 * DAY_MS])(
  'a machine whose clock is %i ms ahead',
  (aheadMs) => {
    it.each([
      ['a charge', post('a:1')],
      ['what was not charged', voided('a:1')],
      ['a doubt', doubt('a:1')],
      ['a late charge', late('b:1')],
      ['a correction that an answer proved', proved],
    ])("books %s at the store's time", async (_, command) => {
      const { wrong } = await openWrong(aheadMs);
      expect(new Date((await wrong.append(command)).atMs).toISOString()).toBe('2026-11-18T12:00:00.000Z');
    });

    it('reserves nothing, and previews the budget of the real day', async () => {
      const { wrong } = await openWrong(aheadMs, { perDay: 10 });
      expect(await wrong.ledger.preview(reserve('b:1'))).toMatchObject({ kind: 'over-budget' });
      expect((await wrong.ledger.now()).left('live')).toBe(0);
      expect(await wrong.apply(reserve('b:1'))).toEqual({ kind: 'clock-wrong' });
      expect(await wrong.log()).toHaveLength(1);
    });

    it.each([
      ['a grant', grant('invoice 1', 5)],
      ['an adjustment', adjust('dashboard', 5)],
    ])('refuses %s by a person, and names both times', async (_, command) => {
      const { wrong } = await openWrong(aheadMs);
      const itsTime = new Date(Date.parse(NOW) + aheadMs).toISOString().slice(0, 19).replace('T', ' ');
      const message = `Nothing was booked: this machine's clock says ${itsTime} UTC, the database's says 2026-11-18 12:00:00 UTC. Set this machine's clock by NTP, then try again.`;
      await expect(wrong.apply(command)).rejects.toMatchObject({ code: 'CLOCK_WRONG', message });
      await expect(wrong.setBack('wrong')).rejects.toMatchObject({ code: 'CLOCK_WRONG', message });
      expect(await wrong.log()).toHaveLength(1);
    });
  },
);

it('a wrong clock does not open the budget of a day again', async () => {
  const { right, wrong } = await openWrong(DAY_MS, { perDay: 20 });
  await right.append(reserve('b:1'));
  await wrong.append(post('a:1'));
  expect(await right.apply(reserve('c:1'))).toMatchObject({ kind: 'over-budget' });
});
