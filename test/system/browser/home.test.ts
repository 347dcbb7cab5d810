import axe, { type AxeResults } from 'axe-core';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { REPLY_TEXTS } from '#shared/requests';
import { BUTTONS, NOTES } from '../../../infra/hubspot-app/src/app/cards/words.ts';
import { PAGE_BUTTONS } from '../../../infra/hubspot-app/src/app/pages/home-words.ts';
import { appScript } from '../../../infra/local/app-script.ts';
import { serveSandbox } from '../../../infra/sandbox/serve.ts';
import { WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { contact, somePerson } from '../../harness/people.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { photograph, startChromium } from './laptop.ts';

const SPEND_PAGE = 'http://127.0.0.1:8787/spend';

describe("the app's home in a browser", () => {
  it.each([
    ['352 px wide', 352],
    ['on a page of 1440 px', 1440],
  ])('shows decisions, figures and lookups with names, without ids and cuts: %s', async (_, width) => {
    const script = await appScript(WEBHOOK_URL, 'home', SPEND_PAGE);
    const world = await createWorld({ app: async () => script });
    const record = await contact(world);
    const other = await contact(world, 1, { firstname: 'Xanthippe', lastname: 'Quux' });
    await settleDown(world);
    await world.services.questions.breakers.stop({ reason: 'budget review', by: 'sales operations' });
    await world.clock.sleep(6 * MINUTE_MS);
    await world.processes.reconcile();
    const served = await serveSandbox({
      port: 0,
      handle: async (request) => {
        const response = await world.portal.sandbox.handle(request);
        if (new URL(request.url).pathname === '/_sandbox/fetch') await settleDown(world);
        return response;
      },
    });
    const browser = await startChromium();
    try {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${served.url}/screen/home`);
      await page.getByRole('heading', { name: 'Needs a decision' }).waitFor();
      for (const text of [
        'Reason: budget review (sales operations)',
        'person with another first and last name',
        'Xanthippe Quux',
        'Person profile',
      ])
        await page.getByText(text).first().waitFor();
      const hrefs = await page.evaluate(
        "[...document.querySelectorAll('#card a')].map((link) => link.getAttribute('href'))",
      );
      expect(hrefs).toContain(SPEND_PAGE);
      expect(hrefs).toContain(`/screen/contacts/${record.id}`);
      expect(await page.locator('#card').textContent()).not.toContain(record.id);
      const boxes = page.getByRole('checkbox', { name: /^Write / });
      await boxes.first().waitFor();
      for (const box of await boxes.all()) expect(await box.isChecked()).toBe(false);
      for (const [link, text] of [
        ['Rules', 'All contacts and companies'],
        ['Activity', 'Person profile'],
        ['Review', 'answer about another person'],
        ['Home', 'Last lookups'],
      ] as const) {
        await page.locator('#card').getByRole('link', { name: link, exact: true }).click();
        await page.getByText(text).first().waitFor();
        await photograph(page, `home-${link.toLowerCase()}-${width}`);
      }
      const cut = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(cut).toBe(0);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await photograph(page, `home-${width}`);
      // An identity is written only after a second consent that names both people.
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('checkbox', { name: 'Write Email' }).check();
      await press(BUTTONS.accept(1));
      await page.getByText(/HubSpot: Xanthippe Quux\b.+ cannot be claimed back\.$/).waitFor();
      await photograph(page, `home-consent-${width}`);
      expect((await world.portal.properties(other))['email'] ?? '').toBe('');
      await press(BUTTONS.sureOther);
      await page.getByText(NOTES.decided).first().waitFor();
      expect((await world.portal.properties(other))['email']).toBe(somePerson(world, 1).job.email);
      await page.getByRole('button', { name: PAGE_BUTTONS.resumeAll }).first().click();
      await page.getByText(REPLY_TEXTS['spending-continues']).first().waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await served.close();
    }
  });
});
