import {
  APP_CATEGORIES,
  FUNDING_EXITS,
  FUNDING_STAGES,
  INVESTOR_ENDINGS,
  NAME_BEGINNINGS,
  TECHNOLOGIES,
} from './company-words.ts';
import { isoDay, monthsBeforeAnchor } from './dates.ts';
import type { Draw } from './draw.ts';
import { ROLES } from './titles.ts';
import type { App, FundingRound, Technologies, Traffic } from './types.ts';

/** Draws funding rounds up to a random stage, oldest first. A public company's last round is its IPO. */
export function drawFunding(draw: Draw, isPublic: boolean): FundingRound[] {
  const stageCount = isPublic ? 4 : draw.integer(1, FUNDING_STAGES.length);
  let months = draw.integer(2, 40);
  const rounds: FundingRound[] = [];
  const exit = isPublic ? 'IPO' : draw.chance(0.1) ? FUNDING_EXITS[1] : undefined;
  if (exit !== undefined) {
    rounds.unshift(drawRound(draw, { type: exit, typicalUsd: 2e8, months }));
    months += draw.integer(10, 24);
  }
  for (const [type, typicalUsd] of FUNDING_STAGES.slice(0, stageCount).reverse()) {
    rounds.unshift(drawRound(draw, { type, typicalUsd, months }));
    months += draw.integer(10, 24);
  }
  return rounds;
}

interface RoundPlan {
  readonly type: string;
  readonly typicalUsd: number;
  readonly months: number;
}

function drawRound(draw: Draw, { type, typicalUsd, months }: RoundPlan): FundingRound {
  const amount = Math.round((typicalUsd * draw.integer(50, 200)) / 100 / 1e4) * 1e4;
  const isDisclosed = type !== 'Acquired' || draw.chance(0.5);
  return {
    type,
    ...(isDisclosed ? { amount } : {}),
    date: isoDay(monthsBeforeAnchor(months)),
    ...(isDisclosed && draw.chance(0.7) ? { valuation: amount * draw.integer(4, 9) } : {}),
    investors: Array.from(new Set(Array.from({ length: draw.integer(1, 5) }, () => drawInvestor(draw)))),
  };
}

/** Draws from about 160 firms, so that investors repeat. */
function drawInvestor(draw: Draw): string {
  return `${draw.pick(NAME_BEGINNINGS)}brook ${draw.pick(INVESTOR_ENDINGS)}`;
}

export function drawTechnologies(draw: Draw): Technologies {
  const known = Object.entries(TECHNOLOGIES).filter(() => draw.chance(0.75));
  return Object.fromEntries(known.map(([category, tools]) => [category, draw.pick(tools)]));
}

export function drawTraffic(draw: Draw, employeeCount: number): Traffic {
  const organic = employeeCount * draw.integer(20, 300);
  const paid = draw.chance(0.4) ? 0 : Math.round((organic * draw.integer(2, 30)) / 100);
  return { organic, paid, total: organic + paid + Math.round((organic * draw.integer(20, 90)) / 100) };
}

export function drawApp(draw: Draw, store: { readonly url: string; readonly maximum: number }): App {
  return {
    category: draw.pick(APP_CATEGORIES),
    rating: draw.integer(21, 50) / 10,
    reviewCount: draw.integer(3, 20_000),
    lastUpdate: isoDay(monthsBeforeAnchor(draw.integer(1, 30))),
    url: store.url,
    count: draw.integer(5, store.maximum),
  };
}

const ROLE_SHARES = { business_development: 0.04, engineer: 0.22, it: 0.06, marketing: 0.07, sales: 0.14 };

/** Draws numbers of people by role. Roles that the service does not know are left out. */
export function drawRoleCounts(draw: Draw, employeeCount: number): Record<string, number> {
  const known = ROLES.filter(() => draw.chance(0.9));
  return Object.fromEntries(
    known.map((role) => [
      role,
      Math.round((employeeCount * ROLE_SHARES[role] * draw.integer(50, 150)) / 100),
    ]),
  );
}

export function drawOpenRoleCounts(draw: Draw, roleCounts: Record<string, number>): Record<string, number> {
  const known = Object.entries(roleCounts).filter(() => draw.chance(0.7));
  return Object.fromEntries(
    known.map(([role, count]) => [role, draw.integer(0, Math.ceil(count * 0.15) + 1)]),
  );
}
