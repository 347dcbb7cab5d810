import { counted } from '#shared/kernel';
import { isStopped, readSearchFacts } from '#shared/questions';
import { type Check, ok, warn } from './check.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Reports how well company searches work. One search looks up many companies in one request. */
export function searchCheck({ services }: Pick<Site, 'services'>): Promise<Check> {
  const name = 'company search';
  return runCheck(name, 'see the stores', async () => {
    const facts = await readSearchFacts(services.questions);
    const { size, tooMany, results, unusable, lost = 0, stoppedUntilMs = 0 } = facts;
    if (results + unusable + lost === 0 && !tooMany)
      return ok(name, `starts with ${size} companies for each request`);
    const unanswered = lost > 0 ? `; the last ${lost === 1 ? 'one was' : `${lost} were`} never answered` : '';
    const refused = tooMany ? `; the data service refused ${counted(tooMany, 'domain')}` : '';
    const came = `${counted(results, 'result')} came, ${unusable} of companies that were not looked up${unanswered}`;
    if (!isStopped(facts)) return ok(name, `up to ${size} companies for each request; ${came}${refused}`);
    const until = new Date(stoppedUntilMs).toISOString();
    return warn(name, `${came}${refused}`, `companies are looked up one by one until ${until}`);
  });
}
