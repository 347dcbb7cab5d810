import { openParts } from '#shared/app';
import { createLedgerStore, readLog } from '#shared/credit-ledger';
import { knownAnswer } from '#shared/enrichment';
import { MINUTE_MS } from '#shared/kernel';
import {
  allKeys,
  breakersKind,
  forgetPerson,
  identifierKeys,
  type QuestionOperation,
  readBreakers,
  readOpenDoubts,
  resolveDoubt,
} from '#shared/questions';
import { rateLimiterKind } from '#shared/rate-limiter';
import { ASKER_GRACE_MS } from '#shared/requests';
import type { RecordName } from '../../hubspot-portal.ts';
import { openTogether } from '../../memory-items.ts';
import { somePerson } from '../../people.ts';
import { askByHand, liveOn, settled } from '../../steps.ts';
import { createWorld } from '../../world.ts';
import { bill, tinyVendor } from '../tiny/vendor-client.ts';

const AT_TINY = 'personByAddress' as QuestionOperation;

/** Each vendor may charge this much a day, and both together charge more. */
const PER_DAY = 16;
const world = await createWorld({
  policy: {
    questions: { contacts: ['reverseEmail', AT_TINY], fallThrough: true },
    budgets: { perDay: PER_DAY },
    noMatchCost: 'full',
  },
});
const { services } = world;
const { forgetting, digest, questions } = services;
const logOf = (mark: string) => Array.fromAsync(readLog(createLedgerStore(openTogether(world.store), mark)));
const openOf = () => Promise.all(['', '@tiny'].map(async (mark) => (await logOf(mark)).at(-1)?.open.length));
const rateLimits = async (mark: string) =>
  (await world.items(rateLimiterKind).read(rateLimiterKind.key(mark)))?.value.limit;
const charged = async (mark: string) => {
  const entries = (await logOf(mark)).filter(({ kind }) => kind === 'posted');
  return entries.map(({ operation, amountCredits }) => `${operation} ${amountCredits}`);
};
const requests = () => [world.dataService.bill().requests, bill.length];
const create = (email: string) => settled(world, world.portal.create('contacts', { email }));
const outcomeOf = async (record: RecordName) => (await world.state(record))?.outcome;
const waitsFor = async (record: RecordName) => (await world.state(record))?.waiting?.reason;
const forget = (email: string) =>
  forgetPerson(forgetting, allKeys(identifierKeys({ emails: [email] }, digest)));
const askTiny = (email: string) =>
  askByHand(world, { operation: AT_TINY, by: { email }, options: [] }).catch(() => undefined);
const sweepLater = (minutes: number) => liveOn(world, { forMs: minutes * MINUTE_MS });
const resolveNext = async () => {
  const [doubt] = await readOpenDoubts({ items: questions.items, owners: world.store.owners });
  if (!doubt) return undefined;
  const decided = { ...doubt, charged: true, note: 'as on its bill' };
  return { of: doubt.operation, ...(await resolveDoubt(questions, decided, { graceMs: ASKER_GRACE_MS })) };
};
/** Whether the first ledger has all entries that its check looks for. */
const isSentInFirst = async () => {
  const hashes = new Map((await logOf('')).map(({ seq, hash }) => [seq, hash]));
  return [...(await services.sentEntries())].every(([seq, hash]) => hashes.get(seq) === hash);
};
const told: Record<string, unknown> = {};

const known = await create(somePerson(world).job.email ?? '');
told['knownToFirst'] = { outcome: await outcomeOf(known), requests: requests() };
const nora = await create('nora.vale@valeco.com');
const properties = await world.portal.properties(nora);
told['missedByFirst'] = { outcome: await outcomeOf(nora), properties, requests: requests() };
const toFirst = { operation: 'reverseEmail', by: { email: 'nora.vale@valeco.com' }, options: [] } as const;
const servesFirst = await knownAnswer({ ...services, clock: world.clock }, toFirst, undefined);
told['askedAgain'] = {
  servesFirst: servesFirst?.credits,
  answer: (await askTiny('nora.vale@valeco.com'))?.kind,
  requests: requests(),
};

await forget('ida.vale@valeco.com');
const ida = await create('ida.vale@valeco.com');
const idaAtTiny = (await askTiny('ida.vale@valeco.com'))?.kind;
const { answers: answersRemoved } = await forget('nora.vale@valeco.com');
const noraAgain = (await askTiny('nora.vale@valeco.com'))?.kind;
told['forgotten'] = {
  outcome: await outcomeOf(ida),
  idaAtTiny,
  answersRemoved,
  noraAgain,
  requests: requests(),
};

await questions.breakers.stop({ reason: 'a test' });
const ben = await create('ben.vale@valeco.com');
const atTiny = await askTiny('ben.vale@valeco.com');
told['stopped'] = { atTiny, record: await waitsFor(ben), requests: requests() };
await questions.breakers.resume();

tinyVendor.mood = 'key-refused';
await sweepLater(20);
const alsoKnown = await create(somePerson(world, 1).job.email ?? '');
const refusedAt = await Promise.all(
  ['', '@tiny'].map(
    async (mark) => (await readBreakers({ items: world.items(breakersKind), mark })).keyRefused,
  ),
);
told['keyRefused'] = {
  record: await waitsFor(ben),
  ofFirst: (await outcomeOf(alsoKnown))?.kind,
  isRefused: refusedAt.map((refused) => refused !== undefined),
};

tinyVendor.mood = 'lost';
await sweepLater(40);
told['doubt'] = { outcome: (await outcomeOf(ben))?.reason.code, resolved: await resolveNext() };
tinyVendor.mood = 'killed';
await askTiny('olga.vale@valeco.com');
const [, tinysOpen] = await openOf();
await sweepLater(20);
told['killed'] = { openBefore: tinysOpen, resolved: await resolveNext() };
tinyVendor.mood = 'well';

for (const nth of [1, 2, 3, 4]) await create(`nobody.${nth}@valeco.com`);
const rates = [await rateLimits(''), await rateLimits('@tiny')];
told['books'] = {
  first: { charges: await charged(''), bill: world.charged() },
  tiny: { charges: await charged('@tiny'), bill: bill.reduce((sum, credits) => sum + credits, 0) },
  open: await openOf(),
  rates,
  waiting: (await world.states()).flatMap(({ waiting }) => waiting?.reason ?? []),
  problems: (await services.checkBooks()).problems,
  isSentInFirst: await isSentInFirst(),
  violations: world.violations,
};
try {
  openParts(
    { ...world, dataService: { baseUrl: 'https://data-service.example', apiKey: 'a key' } } as never,
    {},
  );
} catch (error) {
  told['withoutAccess'] = String(error);
}
process.stdout.write(JSON.stringify(told));
