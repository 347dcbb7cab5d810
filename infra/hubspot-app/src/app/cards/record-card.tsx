import {
  Accordion,
  Button,
  DescriptionList,
  DescriptionListItem,
  ErrorState,
  Flex,
  LoadingButton,
  LoadingSpinner,
  StatusTag,
  Text,
} from '@hubspot/ui-extensions';
import { useState } from 'react';
import { NamesProvider, RecordLink, recordOf } from '../pages/names.tsx';
import { Answer, SureButton } from './answer.tsx';
import { FindingDecision, FindingTag, findingSentence, usePreview } from './finding-decision.tsx';
import type { CardFinding, CardQuote, CardRecord, CardRun, CardView, Wish } from './service.ts';
import { type CardState, useRecord } from './use-record.ts';
import { PACE, type PollPace } from './use-request.ts';
import { Values } from './values.tsx';
import {
  agoWords,
  BUTTONS,
  credits,
  dateWords,
  isExcluded,
  jobMove,
  NOTES,
  operationName,
  QUEUED,
  said,
} from './words.ts';

export interface RecordCardProps {
  readonly record: CardRecord;
  readonly portalId?: number | undefined;
  /** Whether the card is in the sidebar, which is 352 px wide, too narrow for a table. */
  readonly isNarrow?: boolean;
  /** Called after values of the record have changed, so that HubSpot reads them again. */
  readonly onChange: () => void;
  /** How often the card polls for a request. For tests. */
  readonly pace?: PollPace;
}

const UNDER_WAY: Readonly<Record<Wish['kind'], string>> = {
  enrich: 'Enriching',
  undo: 'Undoing',
  'wrong-match': 'Undoing what the answer wrote',
  preview: 'Reading the values',
  accept: 'Writing the values',
  reject: 'Rejecting',
};

/** The card of a record: its state, findings and values, and the actions that a person can request. */
export function RecordCard({ record, portalId, isNarrow = false, onChange, pace = PACE }: RecordCardProps) {
  const state = useRecord(record, onChange, pace);
  const { view, failure, asked, look } = state;
  if (failure !== undefined && !view)
    return (
      <ErrorState title={NOTES.noAnswer}>
        <Text>{failure}</Text>
        <Button onClick={look}>{BUTTONS.retry}</Button>
      </ErrorState>
    );
  if (!view) return <LoadingSpinner label="Reading what is known" showLabel={true} layout="centered" />;
  const isPreview = asked.kind === 'under-way' && asked.request.wish.kind === 'preview';
  const kind = asked.kind === 'under-way' ? asked.request.wish.kind : 'enrich';
  const labels = new Map(view.values.map(({ property, label }) => [property, label]));
  const shown = { view, state, isNarrow, portalId, objectType: record.objectType };
  if (view.standing.kind === 'forgotten') return <Status view={view} />;
  return (
    <Flex direction="column" gap="md">
      <Status view={view} />
      {isPreview ? null : (
        <Answer
          state={{ ...state, again: look }}
          underWay={UNDER_WAY[kind]}
          spent={view.creditsSpent}
          labelOf={(property) => labels.get(property) ?? property}
          timeZone={view.timeZone}
        />
      )}
      {view.findings.map((finding) => (
        <CardFindingView key={`${finding.kind} ${finding.foundAtMs}`} {...shown} finding={finding} />
      ))}
      {view.findings.length === 0 ? <Purchase {...shown} /> : null}
      <Facts {...shown} />
      <Known {...shown} />
      <Text variant="microcopy">{NOTES.timeZone(view.timeZone)}</Text>
    </Flex>
  );
}

function Status({ view }: { readonly view: CardView }) {
  const { standing, isQueued, checkedAtMs, findings, timeZone } = view;
  const { word, variant, why } = isQueued ? QUEUED : said(standing, timeZone);
  const isSaid = why === '' || findings.some(({ reason }) => reason === why);
  const checkedOn = checkedAtMs === undefined ? undefined : dateWords('long', checkedAtMs, timeZone);
  const endedAtMs = standing.kind === 'ended' ? standing.outcome.atMs : undefined;
  // The last run can be an undo, or a request without a lookup.
  const isLater = endedAtMs !== undefined && dateWords('long', endedAtMs, timeZone) !== checkedOn;
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant={variant}>{word}</StatusTag>
      {isSaid ? null : <Text>{isLater ? `${dateWords('day', endedAtMs, timeZone)}: ${why}` : why}</Text>}
      {checkedAtMs === undefined ? null : (
        <Text variant="microcopy">{`Last checked ${checkedOn}, ${agoWords(checkedAtMs, Date.now(), timeZone)}.`}</Text>
      )}
    </Flex>
  );
}

interface ShownProps {
  readonly view: CardView;
  readonly state: CardState;
  readonly isNarrow: boolean;
  readonly objectType: CardRecord['objectType'];
  readonly portalId: number | undefined;
}

function isBusy({ asked }: CardState): boolean {
  return asked.kind === 'under-way' || asked.kind === 'slow';
}

/** A finding, its values, and its buttons. */
function CardFindingView({
  finding,
  view,
  state,
  isNarrow,
  objectType,
  portalId,
}: ShownProps & { readonly finding: CardFinding }) {
  const { asked, wish } = state;
  const isAsked = (made: Wish) => made.kind === 'preview' && made.finding === finding.kind;
  const reply = asked.kind === 'answered' && isAsked(asked.wish) ? asked.result.reply : undefined;
  const preview = usePreview(reply);
  const others = finding.others.flatMap((key) => recordOf(key) ?? []);
  return (
    <Flex direction="column" gap="xs">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <FindingTag finding={finding} objectType={objectType} />
        <Text format={{ fontWeight: 'demibold' }}>{findingSentence(finding, preview)}</Text>
        {others.length === 0 ? null : (
          <NamesProvider records={others} portalId={portalId}>
            {others.map((other) => (
              <RecordLink key={other.id} record={other} />
            ))}
          </NamesProvider>
        )}
      </Flex>
      <Text variant="microcopy">{`Found ${dateWords('long', finding.foundAtMs, view.timeZone)}. ${NOTES.stays}`}</Text>
      <FindingDecision
        {...{ finding, objectType, isNarrow, preview }}
        isReading={asked.kind === 'under-way' && isAsked(asked.request.wish)}
        isBusy={isBusy(state)}
        onWish={wish}
      />
    </Flex>
  );
}

/** The one action that can pay. Its price is read before, for free. */
function Purchase({ view, state }: ShownProps) {
  const { quote, wish } = state;
  const isHeld = view.standing.kind === 'under-way' && !view.isQueued;
  if (isHeld) return null;
  if (quote === undefined)
    return (
      <LoadingButton variant="secondary" loading={true}>
        {BUTTONS.pricing}
      </LoadingButton>
    );
  const { questions, credits: maxCredits, fills = [], reason, warning, waits } = quote;
  if (questions.length === 0) {
    const isSaid = reason === undefined || view.standing.why.includes(reason);
    return isSaid ? null : <Text variant="microcopy">{reason}</Text>;
  }
  return (
    <Flex direction="column" gap="xs">
      <LoadingButton
        variant="primary"
        loading={isBusy(state)}
        disabled={isBusy(state)}
        onClick={() => wish({ kind: 'enrich', maxCredits })}
      >
        {BUTTONS.buy(quote, isExcluded(view.standing))}
      </LoadingButton>
      <Text variant="microcopy">{offerWords(quote, fills)}</Text>
      {warning === undefined ? null : <Text>{warning}</Text>}
      {waits === undefined ? null : <Text>{waits}</Text>}
    </Flex>
  );
}

const SHOWN_BLANKS = 6;

/** `Phone, work email. By person profile.` */
function offerWords({ questions }: CardQuote, fills: readonly string[]): string {
  const more = fills.length > SHOWN_BLANKS ? `, and ${fills.length - SHOWN_BLANKS} more` : '';
  const blanks = fills.length === 0 ? '' : `${fills.slice(0, SHOWN_BLANKS).join(', ')}${more}. `;
  return `${blanks}By ${questions.map(({ operation }) => operationName(operation).toLowerCase()).join(', then ')}.`;
}

function Facts({ view, state, isNarrow }: ShownProps) {
  const { nextCheckAtMs, creditsSpent, timeZone } = view;
  // The policy or the record can have changed since the last run.
  const { rule = view.rule, isNeverDue } = state.quote ?? {};
  return (
    <DescriptionList direction={isNarrow ? 'column' : 'row'}>
      {rule === undefined ? null : (
        <DescriptionListItem label="Rule that decides">
          <Text>{rule}</Text>
        </DescriptionListItem>
      )}
      {nextCheckAtMs === undefined || isNeverDue ? null : (
        <DescriptionListItem label="Next check due">
          <Text>{dateWords('long', nextCheckAtMs, timeZone)}</Text>
        </DescriptionListItem>
      )}
      <DescriptionListItem label="Credits so far">
        <Text>{credits(creditsSpent)}</Text>
      </DescriptionListItem>
    </DescriptionList>
  );
}

/** The values, then what a person can do about all of them, and the history. After a finding, the values are folded. */
function Known({ view, state, isNarrow }: ShownProps) {
  const { values, runs, findings, timeZone } = view;
  const [isOpen, setOpen] = useState(false);
  if (values.length === 0) return <History view={view} />;
  const disabled = isBusy(state);
  const shown = (
    <Values values={values} isNarrow={isNarrow} timeZone={timeZone} isBusy={disabled} onWish={state.wish} />
  );
  const ours = values.filter(({ now }) => now === 'ours').length;
  const move = jobMove(values, timeZone);
  const last = runs.findLast(
    ({ recordId, number, operation }) =>
      operation !== undefined && values.some(({ run }) => run.recordId === recordId && run.number === number),
  );
  return (
    <>
      {move === undefined ? null : (
        <Flex direction="column" gap="xs">
          <Text format={{ fontWeight: 'demibold' }}>{move.says}</Text>
          <Button size="sm" disabled={disabled} onClick={() => state.wish({ kind: 'undo', run: move.run })}>
            {BUTTONS.undoJob(move.values)}
          </Button>
        </Flex>
      )}
      {findings.length === 0 ? (
        shown
      ) : (
        <Accordion title={NOTES.values(values.length)} open={isOpen} onClick={() => setOpen(!isOpen)}>
          {shown}
        </Accordion>
      )}
      <Flex direction="row" gap="sm" wrap={true}>
        {last === undefined ? null : <WrongMatch run={last} state={state} />}
        {ours === 0 ? null : (
          <Button
            size="sm"
            variant="transparent"
            disabled={disabled}
            onClick={() => state.wish({ kind: 'undo' })}
          >
            {BUTTONS.undoAll(ours)}
          </Button>
        )}
      </Flex>
      <History view={view} />
    </>
  );
}

function WrongMatch({
  run: { recordId, number },
  state,
}: {
  readonly run: CardRun;
  readonly state: CardState;
}) {
  return (
    <SureButton
      label={BUTTONS.wrongMatch}
      question="Is this answer about another person or company? Its values are undone, and it is not used again."
      yes={BUTTONS.sureWrongMatch}
      disabled={isBusy(state)}
      onYes={() => state.wish({ kind: 'wrong-match', run: { recordId, number } })}
    />
  );
}

function History({ view: { runs, unlistedCredits, timeZone } }: { readonly view: CardView }) {
  const [isOpen, setOpen] = useState(false);
  if (runs.length === 0 && unlistedCredits === 0) return null;
  return (
    <Accordion title={NOTES.history(runs.length)} open={isOpen} onClick={() => setOpen(!isOpen)}>
      {runs.toReversed().map((run) => (
        <Text key={`${run.recordId} ${run.number}`}>{runWords(run, timeZone)}</Text>
      ))}
      {unlistedCredits === 0 ? null : <Text>{NOTES.unlisted(unlistedCredits)}</Text>}
    </Accordion>
  );
}

/** `28 Nov 2026, 09:15, User 7: Person profile of 3 Nov 2026, 0 credits. Matched by profile URL.` */
function runWords(run: CardRun, timeZone: string): string {
  const { atMs, askedBy, answeredAtMs = atMs, operation, reason, credits: paid } = run;
  const [date, answerDate] = [dateWords('day', atMs, timeZone), dateWords('day', answeredAtMs, timeZone)];
  const of = date === answerDate ? '' : ` of ${answerDate}`;
  // An undo has no lookup and no price.
  const lookup =
    operation === undefined && paid === 0 ? '' : `${operationName(operation)}${of}, ${credits(paid)}. `;
  return `${dateWords('time', atMs, timeZone)}${askedBy === undefined ? '' : `, ${askedBy}`}: ${lookup}${reason}`;
}
