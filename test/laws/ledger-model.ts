import type { Budgets, PeriodLimits } from '#inside/credit-ledger/budgets.ts';
import type { Amounts } from '#inside/credit-ledger/schemas.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES, type Purpose } from '#shared/crm';
import { DAY_MS, unreachable } from '#shared/kernel';

/** Another reading of the calendar than the ledger's own. */
export function dayIn(timeZone: string, atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-CA', { timeZone });
}

export interface Scope {
  readonly purpose?: Purpose;
  /** A day, a month, or nothing for all time. */
  readonly period?: string;
}

/** Where each reservation of a log stands after all of its entries. */
export function statesOf(log: readonly LedgerEntry[]): Map<string, LedgerEntry['kind']> {
  const states = new Map<string, LedgerEntry['kind']>();
  for (const { reservationId, kind } of log)
    if (reservationId !== undefined && kind !== 'late') states.set(reservationId, kind);
  return states;
}

export function openIn(log: readonly LedgerEntry[]): string[] {
  const open = [...statesOf(log)].filter(([, kind]) => kind === 'pending' || kind === 'doubtful');
  return open.map(([id, kind]) => `${id} ${kind}`).sort();
}

/** Adds up a log the slow way: each entry moves its amount from where its reservation was to where it goes. */
export function sumOf(log: readonly LedgerEntry[], { purpose, period = '' }: Scope = {}): Amounts {
  const sum = { posted: 0, pending: 0, doubtful: 0 };
  const reserved = new Map<string, { in: 'pending' | 'doubtful'; credits: number }>();
  const inScope = (entry: LedgerEntry) =>
    entry.day.startsWith(period) && (purpose === undefined || entry.purpose === purpose);
  for (const entry of log.filter(inScope)) {
    const { kind, amountCredits, reservationId = '' } = entry;
    const before = reserved.get(reservationId);
    if (before && kind !== 'pending' && kind !== 'late') sum[before.in] -= before.credits;
    switch (kind) {
      case 'pending':
      case 'doubtful':
        sum[kind] += amountCredits;
        reserved.set(reservationId, { in: kind, credits: amountCredits });
        break;
      case 'posted':
      case 'late':
        sum.posted += amountCredits;
        break;
      case 'voided':
      case 'grant':
      case 'adjustment':
      case 'set-back':
        break;
      default:
        unreachable(kind);
    }
    if (kind === 'posted' || kind === 'voided') reserved.delete(reservationId);
  }
  return sum;
}

export function usedIn(log: readonly LedgerEntry[], scope: Scope): number {
  const { posted, pending, doubtful } = sumOf(log, scope);
  return posted + pending + doubtful;
}

export function lateIn(log: readonly LedgerEntry[], scope: Scope): number {
  return sumOf(
    log.filter(({ kind }) => kind === 'late'),
    scope,
  ).posted;
}

/** Every budget that is set, with the scopes it holds for among the given days. */
export function limitsOf(budgets: Budgets, days: readonly string[]): (Scope & { limit: number })[] {
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const of = (limits: PeriodLimits | undefined, scope: Scope) => [
    ...days.flatMap((period) => withLimit(limits?.perDay, { ...scope, period })),
    ...months.flatMap((period) => withLimit(limits?.perMonth, { ...scope, period })),
  ];
  return [...of(budgets, {}), ...PURPOSES.flatMap((purpose) => of(budgets.purposes?.[purpose], { purpose }))];
}

const isLead = ({ purpose }: LedgerEntry) => purpose === 'live' || purpose === 'manual';

/** What leads and people's requests had used of a day with the first entry after it; of today, what they have used by now. */
function usedForLeads(log: readonly LedgerEntry[], day: string, timeZone: string): number {
  const next = log.findIndex(({ atMs }) => dayIn(timeZone, atMs) > day);
  const known = next === -1 ? log : log.slice(0, next + 1);
  return usedIn(known.filter(isLead), { period: day });
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Time until the day changes, found by looking minute by minute and then millisecond by millisecond. */
function msLeftOf(today: string, nowMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  let ms = nowMs;
  for (const stepMs of [3_600_000, 60_000, 1_000, 1])
    while (format.format(ms + stepMs) === today) ms += stepMs;
  return ms + 1 - nowMs;
}

interface KeptWish {
  readonly limit: number;
  readonly period: string;
  readonly today: string;
  readonly timeZone: string;
  readonly nowMs: number;
}

/**
 * What a limit on everything keeps for leads and for people's requests, of today and of each day that is left of the
 * month: what three in four of the 28 days before used at most, between a fifth and half of the day. Of today it falls to
 * nothing within the last six hours.
 */
export function keptForLeads(
  log: readonly LedgerEntry[],
  { limit, period, today, timeZone, nowMs }: KeptWish,
): number {
  const days: string[] = [];
  for (let ms = Date.parse(period); isoDay(ms).startsWith(period); ms += DAY_MS) days.push(isoDay(ms));
  const left = days.filter((day) => day >= today).length;
  const [first] = log;
  const began = first ? dayIn(timeZone, first.atMs) : today;
  const before = Array.from({ length: 28 }, (_, index) => isoDay(Date.parse(today) - (index + 1) * DAY_MS))
    .filter((day) => day >= began)
    .map((day) => usedForLeads(log, day, timeZone))
    .sort((a, b) => b - a);
  const isMonth = days.length > 1;
  const usedToday = usedForLeads(log, today, timeZone);
  const usedBefore = isMonth ? usedIn(log.filter(isLead), { period }) - usedToday : 0;
  const share = Math.max(0, Math.min(limit / days.length, (limit - usedBefore) / left));
  // A quarter of the days, the most used ones, does not count.
  const usual = before[Math.floor(before.length / 4)] ?? 0;
  const perDay = Math.min(share / 2, Math.max(usual, share / 5));
  const ofToday =
    Math.max(0, perDay - usedToday) * Math.min(1, msLeftOf(today, nowMs, timeZone) / (6 * 3_600_000));
  return Math.round(ofToday + perDay * (left - 1));
}

function withLimit(limit: number | undefined, scope: Scope): (Scope & { limit: number })[] {
  return limit === undefined ? [] : [{ ...scope, limit }];
}
