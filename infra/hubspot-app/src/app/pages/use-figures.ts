import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../cards/service.ts';
import { newRequestId, pause, useIsGone } from '../cards/use-request.ts';
import { type HomeData, readHome, sendDecision } from './home-service.ts';

/** Age from which the figures are old. */
export const STALE_MS = 60_000;
const LOOK_MS = 10_000;
/** After this time without a decision, the page looks each minute. */
const IDLE_MS = 10 * 60_000;
/** New figures take a few seconds. */
const RENEWAL = { everyMs: 1_500, looks: 12 } as const;

export interface Figures {
  /** `none` before the first figures; absent before the first answer. */
  readonly data: HomeData | 'none' | undefined;
  /** Why the installation did not answer the last time. */
  readonly failure: string | undefined;
  /** Time of the last look. */
  readonly nowMs: number;
  /** Whether the worker makes new figures. */
  readonly isRenewing: boolean;
  readonly look: () => void;
  /** Asks the worker for new figures. */
  readonly renew: () => void;
  readonly onDecided: () => void;
}

/** Reads the stored figures again and again. Asks the worker for new ones when they are old. */
export function useFigures(): Figures {
  const [data, setData] = useState<HomeData | 'none'>();
  const [failure, setFailure] = useState<string>();
  const [nowMs, setNowMs] = useState(() => Date.now());
  const [isRenewing, setRenewing] = useState(false);
  const activeMs = useRef(Date.now());
  const askedMs = useRef(0);
  const isGone = useIsGone();

  const read = useCallback(async (): Promise<number | undefined> => {
    try {
      const found = await readHome();
      if (isGone.current) return undefined;
      setData(found ?? 'none');
      setFailure(undefined);
      return found?.atMs;
    } catch (error) {
      if (!isGone.current) setFailure(messageOf(error));
      return undefined;
    } finally {
      if (!isGone.current) setNowMs(Date.now());
    }
  }, [isGone]);

  const renewFrom = useCallback(
    async (atMs: number | undefined) => {
      askedMs.current = Date.now();
      setRenewing(true);
      try {
        await sendDecision(newRequestId(), { kind: 'refresh-figures' });
        for (let look = 0; look < RENEWAL.looks && !isGone.current; look += 1) {
          await pause(RENEWAL.everyMs);
          if ((await read()) !== atMs) break;
        }
      } catch (error) {
        if (!isGone.current) setFailure(messageOf(error));
      } finally {
        if (!isGone.current) setRenewing(false);
      }
    },
    [read, isGone],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = async () => {
      const atMs = await read();
      if (isGone.current) return;
      const isIdle = Date.now() - activeMs.current > IDLE_MS;
      const isOld = atMs !== undefined && Date.now() - atMs > STALE_MS;
      if (isOld && !isIdle && Date.now() - askedMs.current > STALE_MS) void renewFrom(atMs);
      timer = setTimeout(next, isIdle ? STALE_MS : LOOK_MS);
    };
    void next();
    return () => clearTimeout(timer);
  }, [read, renewFrom, isGone]);

  return {
    data,
    failure,
    nowMs,
    isRenewing,
    look: () => void read(),
    renew: () => {
      activeMs.current = Date.now();
      void renewFrom(typeof data === 'object' ? data.atMs : undefined);
    },
    onDecided: () => {
      activeMs.current = Date.now();
      // A stop by a person is shown at once.
      void read();
    },
  };
}
