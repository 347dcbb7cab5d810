import { DAY_MS } from '#shared/kernel/clock.ts';
import { changeSideItem, type SideItemServices } from '../people/side-items.ts';
import type { ROUNDS_STOPPED, RoundsFacts } from '../schemas.ts';

/**
 * Whether the vendor's search can be believed that looks for companies by their last funding round. Its document leaves
 * open how the filter works, so each search names companies as a control, of whom the answer is known, and some of those
 * that it does not name are asked in full all the same. Once it is caught it is left alone for a while, and funding is
 * bought with every refresh.
 */
const MONTH_MS = (365.25 / 12) * DAY_MS;
/** News of a round come late, and months are counted in more ways than one: so much farther back a search looks. */
const MARGIN_MONTHS = 1;
/** A search that looks a year farther back names a tenth of all companies in vain. */
const FARTHER_BACK_MONTHS = 12;
/** Of each kind: those with the newest rounds, those with older ones, and those without any. */
const KEPT_CONTROLS = 5;
/** What is longer known may have changed since. */
const CONTROL_AGE_MS = 180 * DAY_MS;
/** What is known of one company may have changed; of two, at once, it has not. */
const MOST_REFUTED = 2;
/** Two companies, and three that prove it: where the vendor takes no more, it takes none. */
const LEAST_NAMED = 5;
const MOST_IN_VAIN = 10;
/** Of the rounds that there were, at least so many are found; judged only after so many were missed. */
const LEAST_RECALL = 0.8;
const MISSES_JUDGED = 3;
const STOPPED_MS = 30 * DAY_MS;
/** An outage is not the filter's fault, and what each lost search may have cost is booked. */
const UNANSWERED_MS = 7 * DAY_MS;

const BEGUN: RoundsFacts = {
  kind: 'funding rounds',
  controls: [],
  ...{ looked: 0, named: 0, changed: 0, inVain: 0, audited: 0, missed: 0, refuted: 0 },
};

const ROUNDS_FACTS_KEY = 'company-search#rounds';

type Control = RoundsFacts['controls'][number];

/** Funding that was bought. */
export interface BoughtFunding {
  readonly domain: string;
  readonly boughtAtMs: number;
  /** Of the last round, if there ever was one. */
  readonly roundAtMs: number | undefined;
  readonly verdict?: Verdict | undefined;
}

/** What a search had said: of a company that it `named`, that it had a round since; of another, that it had none. */
export interface Verdict {
  readonly kind: 'named' | 'unnamed';
  readonly sinceMs: number;
}

export type RoundsLesson =
  /** A search came back. `unnamed`: controls that it rightly did not name; `refutedBy`: those that it is wrong about. */
  | {
      readonly kind: 'looked';
      readonly looked: number;
      readonly named: number;
      readonly unnamed: readonly string[];
      readonly refutedBy: readonly string[];
    }
  /** The vendor refuses it, for so many companies. */
  | { readonly kind: 'refused'; readonly asked: number }
  /** Nobody knows what became of it. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'bought'; readonly bought: readonly BoughtFunding[] };

export function learnRounds(facts: RoundsFacts, lesson: RoundsLesson, nowMs: number): RoundsFacts {
  switch (lesson.kind) {
    case 'refused': {
      const most = Math.floor(lesson.asked / 2);
      return most < LEAST_NAMED ? stop(facts, 'refused', nowMs) : { ...facts, most };
    }
    case 'lost': {
      const doubted = { ...facts, refuted: facts.refuted + 1 };
      return doubted.refuted >= MOST_REFUTED ? stop(doubted, 'unanswered', nowMs) : doubted;
    }
    case 'looked': {
      const { looked, named, unnamed, refutedBy } = lesson;
      if (refutedBy.length === 0) {
        const controls = facts.controls.map((each) =>
          unnamed.includes(each.domain) ? { ...each, knownAtMs: nowMs } : each,
        );
        return { ...facts, controls, looked: facts.looked + looked, named: facts.named + named, refuted: 0 };
      }
      const controls = facts.controls.filter(({ domain }) => !refutedBy.includes(domain));
      const doubted = { ...facts, controls, refuted: facts.refuted + refutedBy.length };
      return doubted.refuted >= MOST_REFUTED ? stop(doubted, 'controls', nowMs) : doubted;
    }
    default:
      return judged(lesson.bought.reduce(afterPurchase, facts), nowMs);
  }
}

function afterPurchase(facts: RoundsFacts, bought: BoughtFunding): RoundsFacts {
  const { domain, boughtAtMs, roundAtMs, verdict } = bought;
  const control = { domain, knownAtMs: boughtAtMs, ...(roundAtMs !== undefined && { roundAtMs }) };
  const others = facts.controls.filter((each) => each.domain !== domain);
  const known = { ...facts, controls: keptOf([control, ...others]) };
  if (!verdict) return known;
  const hadRound = (sinceMs: number) => roundAtMs !== undefined && roundAtMs > sinceMs;
  if (verdict.kind === 'named')
    return hadRound(verdict.sinceMs - MONTH_MS)
      ? { ...known, changed: facts.changed + 1, inVain: 0 }
      : { ...known, inVain: facts.inVain + 1 };
  const missed = facts.missed + (hadRound(verdict.sinceMs + MONTH_MS) ? 1 : 0);
  return { ...known, audited: facts.audited + 1, missed };
}

function keptOf(controls: readonly Control[]): Control[] {
  const byRound = controls.toSorted((a, b) => (b.roundAtMs ?? 0) - (a.roundAtMs ?? 0));
  const newest = byRound.filter(({ roundAtMs }) => roundAtMs !== undefined).slice(0, KEPT_CONTROLS);
  const others = controls.filter((each) => !newest.includes(each));
  const byKind = Map.groupBy(others, ({ roundAtMs }) => roundAtMs !== undefined);
  return [newest, ...byKind.values()].flatMap((kind) => kind.slice(0, KEPT_CONTROLS));
}

function judged(facts: RoundsFacts, nowMs: number): RoundsFacts {
  if (facts.inVain >= MOST_IN_VAIN) return stop(facts, 'in-vain', nowMs);
  const hidden = hiddenRounds(facts);
  const isBlind = facts.missed >= MISSES_JUDGED && facts.changed < LEAST_RECALL * (facts.changed + hidden);
  return isBlind ? stop(facts, 'missed', nowMs) : facts;
}

/** How many rounds it has hidden, as far as the audits tell. */
function hiddenRounds({ looked, named, audited, missed }: RoundsFacts): number {
  return audited === 0 ? 0 : ((looked - named) * missed) / audited;
}

/** Share of the rounds that it surely does not hide more of, by the audits: at most, in 95 of 100 cases. */
export function hiddenAtMost(facts: RoundsFacts): number {
  const { looked, named, changed, audited, missed } = facts;
  const hidden = (looked - named) * highestShare(missed, audited);
  return hidden / Math.max(1, hidden + changed);
}

/** The largest share under which so few of so many are not a rare case: Clopper and Pearson's bound, by halving. */
function highestShare(hits: number, of: number): number {
  let [low, high] = [hits / Math.max(1, of), 1];
  for (let round = 0; round < 30; round += 1) {
    const share = (low + high) / 2;
    if (chanceOfAtMost(hits, { of, share }) > 0.05) low = share;
    else high = share;
  }
  return high;
}

function chanceOfAtMost(hits: number, { of, share }: { of: number; share: number }): number {
  let chance = (1 - share) ** of;
  let sum = chance;
  for (let k = 0; k < hits; k += 1) {
    chance *= ((of - k) / (k + 1)) * (share / (1 - share));
    sum += chance;
  }
  return sum;
}

function stop(facts: RoundsFacts, why: (typeof ROUNDS_STOPPED)[number], nowMs: number): RoundsFacts {
  const ms = why === 'unanswered' ? UNANSWERED_MS : STOPPED_MS;
  return { ...facts, stopped: { untilMs: nowMs + ms, why } };
}

/** As they count now: after a stop it is begun anew, with the same controls. */
export function roundsNow(facts: RoundsFacts | undefined, nowMs: number): RoundsFacts {
  if (!facts) return BEGUN;
  return facts.stopped && nowMs >= facts.stopped.untilMs ? { ...BEGUN, controls: facts.controls } : facts;
}

/** A search for companies by their last round, and those of which it is known what it has to say. */
export interface Look {
  /** How far back it looks. */
  readonly months: number;
  readonly sinceMs: number;
  /** Companies that it has to name, and others that it may not. */
  readonly named: readonly string[];
  readonly unnamed: readonly string[];
}

/**
 * A search for what is new since then. It names a company whose round lies about as far back as it looks, one whose lies
 * farther back, and one that never had any: who takes months for days, looks at nobody or at everybody gives itself away.
 * Without the first and one of the others nothing is proved, and there is none. Where no round is so young, it looks a little
 * farther back: who is named for an older round costs less than all the others save.
 */
export function lookFor(
  { controls, stopped }: RoundsFacts,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): Look | undefined {
  if (stopped) return undefined;
  const least = Math.ceil((nowMs - sinceMs) / MONTH_MS) + MARGIN_MONTHS;
  const known = controls.filter(({ knownAtMs }) => knownAtMs > nowMs - CONTROL_AGE_MS);
  const monthsAgo = ({ roundAtMs = 0 }: Control) => (nowMs - roundAtMs) / MONTH_MS;
  const rounds = known
    .filter(({ roundAtMs }) => roundAtMs !== undefined)
    .toSorted((a, b) => monthsAgo(a) - monthsAgo(b));
  const inside = rounds.findLast((each) => monthsAgo(each) < least - 1) ?? rounds[0];
  const months = inside ? Math.max(least, Math.ceil(monthsAgo(inside)) + 1) : least;
  // Whom it is known of last is the least likely to have had one since.
  const latest = known.toSorted((a, b) => b.knownAtMs - a.knownAtMs);
  const never = latest.find(({ roundAtMs }) => roundAtMs === undefined);
  const outside = latest.find((each) => each.roundAtMs !== undefined && monthsAgo(each) > months + 2);
  const unnamed = [outside, never].flatMap((each) => each?.domain ?? []);
  if (!inside || unnamed.length === 0 || months > least + FARTHER_BACK_MONTHS) return undefined;
  return { months, sinceMs: nowMs - months * MONTH_MS, named: [inside.domain], unnamed };
}

type Services = SideItemServices & { readonly clock: { now(): number } };

export async function readRoundsFacts({ sideItems, clock }: Services): Promise<RoundsFacts> {
  const stored = await sideItems.read(ROUNDS_FACTS_KEY);
  return roundsNow(stored?.value.kind === 'funding rounds' ? stored.value : undefined, clock.now());
}

export function keepRoundsLesson(services: Services, lesson: RoundsLesson): Promise<void> {
  const item = { key: ROUNDS_FACTS_KEY, kind: 'facts of the search for funding rounds' };
  const nowMs = services.clock.now();
  return changeSideItem(services, item, (known) =>
    learnRounds(roundsNow(known?.kind === 'funding rounds' ? known : undefined, nowMs), lesson, nowMs),
  );
}
