import { hubspot } from '@hubspot/ui-extensions';
import { ADDRESS } from '../cards/address.ts';
import { readReply } from '../cards/service.ts';

/** Times in epoch milliseconds, credits in whole numbers. */
export interface HomeData {
  readonly atMs: number;
  readonly timeZone: string;
  readonly needs: readonly {
    readonly kind: 'stop' | 'doubt' | 'backfill';
    readonly what: string;
    readonly otherwise: string;
    readonly toDo: string;
    readonly sinceMs?: number | undefined;
  }[];
  readonly review: {
    readonly items: readonly {
      readonly objectType: 'contacts' | 'companies';
      readonly id: string;
      readonly kind: string;
      readonly reason: string;
      readonly properties: number;
      readonly sinceMs: number;
    }[];
    readonly isMore: boolean;
    readonly toDo: string;
  };
  readonly spend: {
    readonly todayCredits: number;
    readonly monthCredits: number;
    readonly pendingCredits: number;
    readonly doubtfulCredits: number;
    readonly forecastCredits: number;
    readonly forecastRange?: { readonly lowCredits: number; readonly highCredits: number } | undefined;
    readonly balanceCredits?: number | undefined;
    readonly budgets: readonly {
      readonly label: string;
      readonly limitCredits: number;
      readonly usedCredits: number;
      readonly leftCredits: number;
      readonly keptCredits?: number | undefined;
      readonly resetsAtMs: number;
    }[];
  };
  readonly waiting: readonly string[];
  readonly activity: readonly {
    /** `contacts#123` */
    readonly record?: string | undefined;
    readonly atMs: number;
    readonly operation: string;
    readonly purpose: string;
    readonly outcome: string;
    readonly credits: number;
    readonly askedBy?: string | undefined;
  }[];
}

/** @returns undefined before the first sweep. @throws Error with a message for a person. */
export async function readHome(): Promise<HomeData | undefined> {
  const response = await hubspot.fetch(`${ADDRESS}/home`, { method: 'GET', timeout: 15_000 });
  return (await readReply<{ readonly view?: HomeData }>(response)).view;
}
