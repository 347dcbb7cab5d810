import type { Locator, Page } from 'playwright-core';
import type { Books } from './books.ts';

/** The texts of a row's cells. */
export async function wordsOf(row: Locator): Promise<string> {
  return (await row.locator('th, td').allTextContents()).join(' ');
}

/** The figure with this name in the page's source. */
export async function figureAt(page: Page, name: string): Promise<string | null> {
  return page.locator(`[data-figure=${name}]`).locator('.value, b').first().textContent();
}

export function sumOf(charges: Books['charges']): number {
  return charges.reduce((sum, { credits }) => sum + credits, 0);
}

export function figure(number: number): string {
  return number.toLocaleString('en-US');
}

export function same(what: string, seen: string | null, expected: string): void {
  if (seen !== expected) throw new Error(`${what}: "${seen}" instead of "${expected}".`);
}

export function like(what: string, seen: string | null, expected: RegExp): void {
  if (!expected.test(seen ?? '')) throw new Error(`${what}: "${seen}" does not say ${expected.source}.`);
}
