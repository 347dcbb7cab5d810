import type { Breakages } from '../mutant.ts';

const GATEWAY = 'test/unit/shared/questions/gateway.test.ts';
const DOUBTS = 'test/unit/shared/questions/doubts.test.ts';
const CHARGE_FIRST = 'test/unit/shared/questions/charge-first.test.ts';
const CRASHES = 'test/property/gateway/crash-points.test.ts';
const INTERLEAVINGS = 'test/property/gateway/interleavings.test.ts';
const TRANSITIONS = 'test/property/question-transitions.test.ts';
const FORGET = 'test/e2e/forget.test.ts';

/** The ask gateway: one paid call for each question, no charge lost, no question about a forgotten person. */
export const ASKING: readonly Breakages[] = [
  {
    file: 'shared/questions/transitions.ts',
    suites: [TRANSITIONS, GATEWAY],
    breakages: [
      [
        'a question is sent although another request for it is in flight',
        "return attempt && attempt.state !== 'completed' ? attempt.state : undefined;",
        "return attempt?.state === 'in-doubt' ? attempt.state : undefined;",
      ],
      [
        'a question is sent although nobody knows what became of an earlier request',
        "return attempt && attempt.state !== 'completed' ? attempt.state : undefined;",
        "return attempt?.state === 'in-flight' ? attempt.state : undefined;",
      ],
      [
        'the fencing token does not rise',
        'return Math.max((item?.fencingToken ?? 0) + 1, nowMs);',
        'return item?.fencingToken ?? nowMs;',
      ],
      [
        'a question is sent under a token that was raised',
        "if (item && item.fencingToken >= event.fencingToken) return refused('fenced-off');",
        '',
      ],
      [
        'a fence leaves the token where it was',
        'fencingToken: Math.max(fencingToken + 1, nowMs) });',
        'fencingToken });',
      ],
      [
        'a request that was sent is fenced off as if it had not been',
        "if (item?.attempt?.reservationId === reservation.id) return refused('sent');",
        '',
      ],
      [
        'a proof does not beat the doubt that came before it',
        "const isOpen = attempt?.state === 'in-flight' || attempt?.state === 'in-doubt';",
        "const isOpen = attempt?.state === 'in-flight';",
      ],
    ],
  },
  {
    file: 'shared/questions/ask/send-once.ts',
    suites: [CRASHES, INTERLEAVINGS, GATEWAY],
    breakages: [
      [
        'a question is sent although its mark was lost to another',
        "if (written === 'conflict') return undefined;",
        "if (written === 'conflict') written = { value: item, version: reserved.reservationId };",
      ],
      [
        'a question is sent before it is marked as in flight',
        'written = await items.write({ key, value: item, ...replacing(stored) });',
        'written = { value: item, version: reserved.reservationId };',
      ],
      [
        'a worker that stood still sends all the same',
        'const isStalled = stalledMs > STALLED_MS;',
        'const isStalled = stalledMs < 0;',
      ],
      [
        'a worker that stood still before the mark sends all the same',
        'Math.abs(clock.now() - slot.takenAtMs)',
        'Math.abs(clock.now() - sentAtMs)',
      ],
    ],
  },
  {
    file: 'shared/questions/ask/outcome.ts',
    suites: [GATEWAY, DOUBTS, CHARGE_FIRST, CRASHES, INTERLEAVINGS],
    breakages: [
      [
        'an unknown outcome gives its slot back',
        "if (result.kind === 'unknown') return;",
        "if (result.kind === 'unknown') return services.rateLimiter.release(id);",
      ],
      [
        'a request that never left keeps its slot',
        "if (result.kind === 'not-sent' || result.kind === 'invalid') return services.rateLimiter.release(id);",
        "if (result.kind === 'not-sent' || result.kind === 'invalid') return;",
      ],
      [
        'a charge is posted before it is stored',
        '  await untilStored(services, () =>',
        '  await bookOutcome(services, { reservationId, askedBy, charge: outcome.charge });\n  await untilStored(services, () =>',
      ],
      [
        'a charge is never posted',
        'await bookOutcome(services, { reservationId, askedBy, charge: outcome.charge });',
        '',
      ],
      [
        'a charge that comes late is dropped',
        'await bookLateOutcome(services, request, { reservationId, charge });',
        '',
      ],
      [
        'an answer that comes late is dropped',
        'if (answer) await change(items, target, (item) => keepAnswer(',
        'if (answer && !answer) await change(items, target, (item) => keepAnswer(',
      ],
      [
        'a miss is not stored',
        "charge: { credits, reason: 'no-match' }, stored: missed(services, item, credits) }",
        "charge: { credits, reason: 'no-match' } }",
      ],
      [
        'a store that fails once makes a doubt of a charge',
        'if (clock.now() + waitMs > untilMs) throw error;',
        'throw error;',
      ],
    ],
  },
  {
    file: 'shared/questions/abandoned.ts',
    suites: [DOUBTS, CRASHES],
    breakages: [
      [
        'a sweep voids a request whose answer never came',
        "{ finish: 'doubts', value: doubt(item, attempt).value };",
        "{ finish: 'voided' };",
      ],
      [
        'a sweep doubts a request that may still be answered',
        "if (nowMs < attempt.deadlineAtMs + graceMs) return { finish: 'left' };",
        '',
      ],
      [
        'a sweep voids what somebody is about to send',
        "return { finish: 'voided', value: fence(item, { reservation: open, nowMs }).value };",
        "return { finish: 'voided' };",
      ],
    ],
  },
  {
    file: 'shared/questions/stored-answers.ts',
    suites: ['test/unit/shared/questions/stored-answers.test.ts', GATEWAY],
    breakages: [
      ['an answer stays fresh for ever', 'return nowMs < expiresAtMs;', 'return expiresAtMs > 0;'],
      [
        'an answer is fresh in the moment it expires',
        'return nowMs < expiresAtMs;',
        'return nowMs <= expiresAtMs;',
      ],
      [
        'a narrow answer serves a wider question',
        'fresh.find((answer) => covers(answer.options, options))',
        'fresh.find((answer) => covers(answer.options, answer.options))',
      ],
      [
        'of two answers that were paid for the older one is forgotten',
        '(isFresh(answer, nowMs) && !isReplaced)) kept.push(answer);',
        '(isFresh(answer, nowMs) && isReplaced)) kept.push(answer);',
      ],
    ],
  },
  {
    file: 'shared/questions/breaker-transitions.ts',
    suites: [
      'test/unit/shared/questions/breaker-transitions.test.ts',
      'test/unit/shared/questions/breakers.test.ts',
    ],
    breakages: [
      [
        'the breaker of doubts never opens',
        'const opens = doubtsInRow >= MAX_DOUBTS_IN_ROW && state.doubtful === undefined;',
        'const opens = false;',
      ],
      [
        'a balance that is too small stops cheaper questions too',
        'if (outOfCredits && priceCredits >= outOfCredits.priceCredits && nowMs',
        'if (outOfCredits && nowMs',
      ],
      [
        'a question that was under way closes the breaker of charges',
        'const isProof = probe?.grantedAtMs !== undefined && sentAtMs >= probe.grantedAtMs;',
        'const isProof = true;',
      ],
      ['a refused key is asked with on and on', 'if (nowMs < probeAtMs)\n', 'if (nowMs < 0)\n'],
      [
        'every asker is the one that probes',
        'value: { ...state, probe: { atMs, grantedAtMs: nowMs } } };',
        'value: state };',
      ],
      [
        'a probe is paid for although the free key check was not answered',
        'if (doubtful && !isKeyAnswered) {',
        'if (doubtful && nowMs < 0) {',
      ],
    ],
  },
  {
    file: 'shared/questions/ask/ask-now.ts',
    suites: [GATEWAY, CHARGE_FIRST, CRASHES, INTERLEAVINGS, 'test/unit/shared/questions/breakers.test.ts'],
    breakages: [
      [
        'who waited for the rate asks although asking was stopped meanwhile',
        "    const passage = await passBreakers(services, request, turnMs);\n    if (passage.kind !== 'passed') return passage;\n",
        '',
      ],
      [
        'who was overtaken keeps what was reserved',
        "await services.ledger.apply({ kind: 'void', reservationId, reason: isWanted ? 'overtaken' : 'withdrawn' });",
        '',
      ],
      [
        'who was overtaken keeps the slot',
        "  if (sent.kind !== 'sent') await services.rateLimiter.release(slot.id);",
        '',
      ],
      [
        'a completed charge is not booked before the next request',
        'if (stored?.value.attempt) await finishAttempt(services, stored.value);',
        '',
      ],
      [
        'the suppression list is not asked',
        'const [forgotten] = await suppressionList.among([key]);',
        'const [forgotten]: string[] = [];',
      ],
    ],
  },
  {
    file: 'shared/questions/finish-answer.ts',
    suites: [FORGET, 'test/unit/shared/privacy/forget-race.property.test.ts'],
    breakages: [
      [
        'no way leads from a person to the answers about them',
        'await linkPeople(services, { people, questionKey: asked.key, untilMs: linkExpiry(answer.expiresAtMs) });',
        '',
      ],
      [
        'who is forgotten while being asked about is kept',
        'if (forgotten.size === 0) return stored;',
        'if (forgotten.size >= 0) return stored;',
      ],
    ],
  },
  {
    file: 'shared/questions/packed-answers.ts',
    suites: ['test/unit/shared/questions/packed-answers.test.ts'],
    breakages: [['a cut answer is not marked', '{ packed, isCut: true }', '{ packed }']],
  },
];
