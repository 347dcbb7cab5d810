import { hiddenAtMost, readRoundsFacts } from '#shared/questions/companies/rounds-facts.ts';
import { priceOfQuestion } from '#shared/questions/question.ts';
import type { RoundsFacts } from '#shared/questions/schemas.ts';
import { counted } from '#shared/spend/figures.ts';
import { type Check, ok, warn } from './check.ts';
import { look } from './look.ts';
import type { Site } from './site.ts';

/** Whether the search for companies with a new funding round can be believed, and what it saved. */
export function roundsCheck({ services, policy }: Pick<Site, 'services' | 'policy'>): Promise<Check> {
  const name = 'funding rounds';
  return look(name, 'see the stores', async () => {
    if (!policy.refresh.onlyChanged) return ok(name, 'not looked for (refresh.onlyChanged)');
    const facts = await readRoundsFacts(services.questions);
    const told = roundsLine(facts);
    if (!facts.stopped) return ok(name, told);
    const until = new Date(facts.stopped.untilMs).toISOString();
    const advice = `funding is bought with every refresh until ${until}; should it be so again, leave out refresh.onlyChanged`;
    return warn(name, `${WHY_STOPPED[facts.stopped.why]}; ${told}`, advice);
  });
}

const WHY_STOPPED: Readonly<Record<NonNullable<RoundsFacts['stopped']>['why'], string>> = {
  controls: 'the search named companies that it should not, or did not name those that it should',
  'in-vain': 'the search named ten companies in a row that had no round',
  missed: 'the search hides too many rounds',
  refused: 'the data service refused the search',
  unanswered: 'the data service did not answer the search, twice',
};

/** What the search for rounds has told since it was last begun with, in a sentence. */
export function roundsLine(facts: RoundsFacts): string {
  const { looked, named, changed, audited, missed } = facts;
  if (looked === 0)
    return 'nobody was looked at yet: it begins when some were bought with and without a round';
  const funding = priceOf(['funding']) - priceOf([]);
  const saved = Math.max(0, (looked - named - audited) * funding - named);
  const asked = `a search looked for rounds of ${looked} companies and named ${named}, of whom ${changed} had one`;
  const hidden =
    audited === 0
      ? ''
      : ` (it hides ${Math.round(100 * hiddenAtMost(facts))}% of them at most, but for those that are told of late)`;
  const proof = `bought in full all the same: ${audited}, of whom ${missed} had one${hidden}`;
  return `${asked}; about ${counted(saved, 'credit')} saved; ${proof}`;
}

function priceOf(options: readonly ['funding'] | readonly []): number {
  return priceOfQuestion({ operation: 'companyProfile', parameters: {}, options });
}
