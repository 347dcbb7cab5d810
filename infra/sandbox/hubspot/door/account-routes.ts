import { MINUTE_MS } from '../../../../shared/kernel/index.ts';
import { iso } from '../objects/record-view.ts';
import { ApiError, badRequest } from './api-error.ts';
import { isJsonObject } from './json.ts';
import { dailyUsage } from './rate-limits.ts';
import type { Call, Reply, Route } from './route.ts';

/** Routes that return data about the account. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/account-info/{version}/details', needs: 'account', run: details },
  {
    method: 'GET',
    path: '/account-info/{version}/api-usage/daily/private-apps',
    needs: 'account',
    run: apiUsage,
  },
  { method: 'POST', path: '/oauth/v2/private-apps/get/access-token-info', run: tokenInfo },
];

/** Returns data about the token in the body. Needs no scope. */
function tokenInfo({ portal, body }: Call): Reply {
  const { accessToken, appId, portalId, scopes } = portal.state.settings;
  if (!isJsonObject(body) || body['tokenKey'] !== accessToken)
    throw new ApiError(badRequest('The token in `tokenKey` is not known.'));
  return { status: 200, body: { userId: USER_ID, hubId: portalId, appId, scopes } };
}

/** Id of the person who installed the app. */
const USER_ID = 1_001;

function details({ portal }: Call): Reply {
  const { portalId, accountType, timeZone, currency } = portal.state.settings;
  const utcOffset = offsetOf(timeZone, portal.clock.now());
  return {
    status: 200,
    body: {
      portalId,
      accountType,
      timeZone,
      companyCurrency: currency,
      additionalCurrencies: [],
      utcOffset,
      utcOffsetMilliseconds: millisecondsOf(utcOffset),
      uiDomain: 'app.hubspot.com',
      dataHostingLocation: 'na1',
    },
  };
}

function apiUsage({ portal }: Call): Reply {
  const { limit, used, resetsAt } = dailyUsage(portal);
  return {
    status: 200,
    body: {
      results: [
        {
          name: 'private-apps-api-calls-daily',
          usageLimit: limit,
          currentUsage: used,
          collectedAt: iso(portal.clock.now()),
          fetchStatus: 'SUCCESS',
          resetsAt: iso(resetsAt),
        },
      ],
    },
  };
}

/** Offset such as `-05:00`. */
function offsetOf(timeZone: string, time: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return name.replace('GMT', '') || '+00:00';
}

function millisecondsOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
