import { type Random, seededRandom } from '#shared/kernel/random.ts';
import {
  CHANGES_A_YEAR,
  type Chooser,
  type Companies,
  type CompanyWorld,
  chooserOf,
  type Field,
  FRESH_DAYS,
  FUNDING_PRICES,
  type Way,
  WEEKS,
} from './changing-companies.ts';

/** A request names a hundred companies, of whom three prove the filter. */
const NAMED = 97;
/** Companies that are asked about at random in a year, to see what the filters miss. */
const AUDITED = 100;

/** A field whose changes a filter shows, and how many values companies have in it: a request is for those of one value. */
interface Sensor {
  readonly field: Field;
  readonly values: number;
}
export const INDUSTRY: Sensor = { field: 'industry', values: 150 };
/** States or countries. */
export const PLACE: Sensor = { field: 'place', values: 200 };
/** Months of the last round. */
export const FUNDING: Sensor = { field: 'funding', values: 60 };

interface Asking {
  readonly today: number;
  readonly most: number;
  readonly withFunding: boolean;
}

/** @returns how many were asked about. */
async function askByWorth(
  { companies, ask }: Companies,
  { choose, learn }: Chooser,
  { today, most, withFunding }: Asking,
): Promise<number> {
  const chosen = await choose(today, most);
  for (const index of chosen) {
    const company = companies[index];
    if (!company) continue;
    await learn(index, today);
    ask(company, today, withFunding);
  }
  return chosen.length;
}

/** All credits go by the product's own choice. */
export const byWorthAlone: Way = (all, { funding }) => {
  const chooser = chooserOf(all, all.wanted);
  const withFunding = funding !== 'none';
  return {
    week: async (today, credits) => {
      await askByWorth(all, chooser, { today, most: credits / FUNDING_PRICES[funding], withFunding });
    },
  };
};

/** Nothing is sensed, and funding is bought only where it is worth its price, by somebody who knows the rates. */
export const fundingByWorth: Way = (all, { funding }) => {
  const price = FUNDING_PRICES[funding];
  const worth = (field: Field, days: number) => {
    const x = (CHANGES_A_YEAR[field] / 365) * days;
    return (1 - (1 + x) * Math.exp(-x)) / CHANGES_A_YEAR[field];
  };
  return {
    week: async (today, credits) => {
      const offers = all.companies.flatMap((company) => {
        const { known, w } = company;
        const days = today - known.headCount;
        if (days < FRESH_DAYS) return [];
        const bare = 2 * worth('industry', days) + worth('headCount', days);
        const full = (bare + worth('funding', today - known.funding)) / price;
        return { company, withFunding: full > bare, value: w * Math.max(bare, full) };
      });
      const limit = all.paid.credits + credits;
      for (const { company, withFunding } of offers.sort((a, b) => b.value - a.value)) {
        if (all.paid.credits + price > limit) break;
        all.ask(company, today, withFunding);
      }
    },
  };
};

/** Knows some fields for nothing and at once: what no sensor can do better. */
export const toldForNothing =
  (told: readonly Field[]): Way =>
  (all) => {
    const chooser = chooserOf(all, ['headCount']);
    return {
      told,
      week: async (today, credits) => {
        await askByWorth(all, chooser, { today, most: credits, withFunding: false });
      },
    };
  };

/** Named although it had no round since: a search looks some two months farther back, one less exactly. */
const FARTHER_MONTHS = 2;
/** Of those that are not named, one in so many is asked with funding all the same. */
const AUDITED_ONE_IN = 50;

/**
 * What `refresh.onlyChanged` does: of those whose turn it is by worth, a search names who had a round since the last look.
 * They are asked with funding, after the search's result has cost a credit; the others without.
 */
export const roundsAtRefresh: Way = (all, { seed }) => {
  const chooser = chooserOf(all, ['industry', 'place', 'headCount']);
  const random = seededRandom(seed + 2_000);
  return {
    week: async (today, credits) => {
      const limit = all.paid.credits + credits;
      for (const [nth, index] of (await chooser.choose(today, credits)).entries()) {
        const company = all.companies[index];
        if (!company || all.paid.credits >= limit) break;
        await chooser.learn(index, today);
        // A control comes back with each request.
        if (nth % NAMED === 0) all.paid.credits += 1;
        const isOlder = random() < (CHANGES_A_YEAR.funding * FARTHER_MONTHS) / 12;
        const isNamed = all.isShown(company, 'funding', today) || isOlder;
        if (isNamed) all.paid.credits += 1;
        all.ask(company, today, isNamed || random() < 1 / AUDITED_ONE_IN);
        if (!company.isHidden.funding) company.known.funding = today;
      }
    },
  };
};

/** Week by week some of the requests for companies that differ; what that leaves of the credits goes by worth. */
export const inCycles =
  (sensors: readonly Sensor[]): Way =>
  (all, world) => {
    const random = seededRandom(world.seed + 1_000);
    const plan = planOf(sensors, all, { ...world, random });
    if (!plan) return byWorthAlone(all, world);
    const { cycles, requests } = plan;
    const { paid, companies } = all;
    const chooser = chooserOf(
      all,
      all.wanted.filter((wanted) => !sensors.some(({ field }) => field === wanted)),
    );
    const ask = async ({ field, members }: Request, today: number) => {
      paid.requests += 1;
      for (const index of members) {
        const company = companies[index];
        if (!company || !all.isShown(company, field, today)) continue;
        await chooser.learn(index, today);
        // The search says that there was a round; what it brought is the profile's to tell.
        if (field === 'funding' && world.funding === 'profile') paid.credits += 1;
        all.ask(company, today, field === 'funding');
      }
    };
    let due = 0;
    let asked = 0;
    let audits = 0;
    return {
      week: async (today, credits) => {
        const limit = paid.credits + credits;
        for (audits += AUDITED / WEEKS; audits >= 1; audits -= 1) {
          const company = companies[Math.floor(random() * companies.length)];
          if (company) all.ask(company, today, world.funding !== 'none');
        }
        due = Math.min(requests.length, due + (requests.length * cycles) / WEEKS);
        let sent = 0;
        for (; due >= 1 && paid.credits + sent < limit; due -= 1) {
          const request = requests[asked % requests.length];
          if (request) await ask(request, today);
          asked += 1;
          sent += 1;
        }
        // A request's control is a company whose turn it is by worth; where it is nobody's, it tells nothing new.
        const controls = await askByWorth(all, chooser, { today, most: sent, withFunding: false });
        paid.credits += sent - controls;
        await askByWorth(all, chooser, { today, most: limit - paid.credits, withFunding: false });
      },
    };
  };

interface Request {
  readonly field: Field;
  readonly members: readonly number[];
}

interface Plan {
  /** How often in a year each of the companies is asked about. */
  readonly cycles: number;
  readonly requests: readonly Request[];
}

/** As many companies, the weightiest first, as a third of the credits buys the changes of; half of the rest for controls. */
function planOf(
  sensors: readonly Sensor[],
  { companies }: Companies,
  { creditsAYear, funding, random }: CompanyWorld & { readonly random: Random },
): Plan | undefined {
  const priceOf = (field: Field) => (field !== 'funding' ? 1 : funding === 'profile' ? 4 : 2);
  const audits = AUDITED * FUNDING_PRICES[funding];
  for (const leastWeight of [1, 3, 10]) {
    const members = companies.flatMap(({ w }, index) => (w >= leastWeight ? [index] : []));
    const changes = sensors.reduce(
      (sum, { field }) => sum + members.length * CHANGES_A_YEAR[field] * priceOf(field),
      0,
    );
    const requests = sensors.flatMap((sensor) => requestsOf(sensor, members, random));
    const cycles = Math.min(WEEKS, Math.floor((creditsAYear - changes - audits) / 2 / requests.length));
    if (changes <= creditsAYear / 3 && cycles >= 1) return { cycles, requests };
  }
  return undefined;
}

/** The n-th value is held by an n-th as many as the first. */
function requestsOf({ field, values }: Sensor, members: readonly number[], random: Random): Request[] {
  const shares = Array.from({ length: values }, (_, nth) => 1 / (nth + 1));
  const whole = shares.reduce((a, b) => a + b, 0);
  const drawValue = () => {
    let left = random() * whole;
    return shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
  };
  return [...Map.groupBy(members, drawValue).values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / NAMED) }, (_, nth) => ({
      field,
      members: group.slice(nth * NAMED, (nth + 1) * NAMED),
    })),
  );
}
