import { expect, it } from 'vitest';
import { companyKey } from '#inside/questions/question.ts';
import { answersOf } from '#inside/questions/stored-answers.ts';
import { questionKind } from '#inside/questions/stored-kinds.ts';
import type { LoggedRequest } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createCountedService } from './counted-service.ts';
import { startWorker, type Worker } from './crew.ts';
import { openTables } from './open-tables.ts';
import { crewSettings, finishAll, openBooks } from './run-crew.ts';

const WORKERS = 4;
const VICTIM = 1;
const GROUP = 12;

it('processes with overlapping groups of companies, one killed, ask about each company once', async () => {
  const tables = await openTables();
  const service = createCountedService({ latencyMs: 20, rateLimitPerMinute: 100_000 }, 1);
  const known = service.sandbox.world.companies.map(({ domains: [domain] }) => domain);
  // Nobody goes without a slot, however slow the machine is.
  const settings = { ...crewSettings(tables.endpoint, 1_000), patienceMs: 30_000 };
  const books = openBooks(settings);
  // Each group shares half of its companies with the group before it.
  const groupsOf = (worker: number) =>
    [0, 1, 2].map((nth) => known.slice((worker * 3 + nth) * (GROUP / 2)).slice(0, GROUP));
  let victim: Worker | undefined;
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, async (_, index) => {
      const door = await service.open((requests) => {
        if (index === VICTIM && requests === 1) victim?.kill();
      });
      return startWorker({ ...settings, dataServiceUrl: door.url });
    }),
  );
  victim = workers[VICTIM];
  await Promise.all(workers.map((worker, index) => worker.work([], groupsOf(index))));
  await finishAll(books.questions);
  const substitute = await startWorker({ ...settings, dataServiceUrl: (await service.open()).url });
  await substitute.work([], Array.from({ length: WORKERS }, (_, worker) => groupsOf(worker)).flat());
  await finishAll(books.questions);

  expect(victim?.killed()).toBe(true);
  const log = await service.sandbox.handle(new Request('http://data-service/_sandbox/requests'));
  const { requests }: { requests: readonly LoggedRequest[] } = JSON.parse(await log.text());
  const searched = requests
    .filter(({ path }) => path.startsWith('/api/v1/company/search'))
    .flatMap(({ body }): string[] => JSON.parse(body ?? '{}').q_organization_domains);
  expect(searched.length).toBeGreaterThan(4 * GROUP);
  expect(searched.length).toBe(new Set(searched).size);
  const { lifetime } = (await books.questions.ledger.newest())?.totals ?? {};
  const doubts = await books.questions.ledger.openReservations();
  expect(doubts).toMatchObject([{ state: 'doubtful', operation: 'companiesByDomain' }]);
  const inDoubt = doubts.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
  const charged = service.sandbox.bill().creditsCharged;
  expect((lifetime?.posted ?? 0) + inDoubt).toBe(charged);
  const answered = await Promise.all(
    [...new Set(searched)].map((domain) =>
      books.questions.items.read(questionKind.key(companyKey(domain, books.digest))),
    ),
  );
  expect(answered.filter((item) => answersOf(item?.value).length > 0).length).toBe(searched.length - inDoubt);
  await service.close();
  await tables.close();
});
