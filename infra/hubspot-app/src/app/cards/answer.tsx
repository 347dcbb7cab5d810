import { Alert, Button, Flex, LoadingSpinner, Text } from '@hubspot/ui-extensions';
import type { CardQuote, CardReply, CardStanding, CardView, Wish } from './service.ts';
import type { CardState } from './use-record.ts';
import { BUTTONS, credits, NOTES, priceOf, said } from './words.ts';

const UNDER_WAY: Readonly<Record<Wish['kind'], string>> = {
  quote: 'Working out the price',
  enrich: 'Enriching',
  undo: 'Undoing',
  'wrong-match': 'Undoing what the answer wrote',
  preview: 'Reading the values',
  accept: 'Writing the values',
  reject: 'Rejecting',
};

/** Shows the state of the last request. */
export function Answer({ state }: { readonly state: CardState }) {
  const { asked, wish, dismiss } = state;
  switch (asked.kind) {
    case 'nothing':
      return null;
    case 'under-way':
      return (
        <>
          <LoadingSpinner label={UNDER_WAY[asked.request.wish.kind]} showLabel={true} />
          {asked.trouble === undefined ? null : <Text>{`${asked.trouble} ${NOTES.keepsAsking}`}</Text>}
        </>
      );
    case 'slow':
      return (
        <Slow
          trouble={asked.trouble}
          spent={state.view?.creditsSpent}
          onLook={state.look}
          onClose={dismiss}
        />
      );
    case 'failed':
      return (
        <Alert title={NOTES.notAccepted} variant="error">
          <Text>{asked.why}</Text>
          <Button onClick={dismiss}>{BUTTONS.close}</Button>
        </Alert>
      );
    case 'answered': {
      const { standing, reply } = asked.result;
      if (reply)
        return <ReplyAlert reply={reply} labelOf={labelsOf(state.view)} onWish={wish} onClose={dismiss} />;
      return standing ? <Ended standing={standing} onClose={dismiss} /> : null;
    }
  }
}

interface SlowProps {
  readonly trouble: string | undefined;
  /** Credits charged for the record so far, when it was last read. */
  readonly spent: number | undefined;
  readonly onLook: () => void;
  readonly onClose: () => void;
}

/** Shows a slow request. "Look again" polls for the same request, so a person cannot pay twice. */
function Slow({ trouble, spent, onLook, onClose }: SlowProps) {
  return (
    <Alert title={NOTES.slow} variant="info">
      <Text>{trouble ?? 'It takes longer than a minute.'}</Text>
      <Text>
        {`It continues without this page. Looking again costs nothing.${spent === undefined ? '' : ` Charged for this record when last read: ${credits(spent)}.`}`}
      </Text>
      <Flex direction="row" gap="sm">
        <Button onClick={onLook}>{BUTTONS.look}</Button>
        <Button onClick={onClose}>{BUTTONS.close}</Button>
      </Flex>
    </Alert>
  );
}

function Ended({ standing, onClose }: { readonly standing: CardStanding; readonly onClose: () => void }) {
  const { word, variant, why } = said(standing);
  const charged = standing.kind === 'ended' ? standing.outcome.credits : undefined;
  const paid = standing.kind === 'waiting' ? standing.credits : charged;
  const spent = paid === undefined ? '' : ` ${NOTES.charged(paid)}`;
  return (
    <Alert title={word} variant={variant === 'default' ? 'info' : variant}>
      <Text>{`${why}${spent}`}</Text>
      <Button onClick={onClose}>{BUTTONS.close}</Button>
    </Alert>
  );
}

interface ReplyAlertProps {
  readonly reply: CardReply;
  readonly labelOf: (property: string) => string;
  readonly onWish: (wish: Wish) => void;
  readonly onClose: () => void;
}

function ReplyAlert({ reply, labelOf, onWish, onClose }: ReplyAlertProps) {
  switch (reply.kind) {
    case 'quoted':
      return (
        <Alert title={reply.quote.questions.length === 0 ? 'Nothing to look up' : 'The price'} variant="info">
          <Offer quote={reply.quote} onWish={onWish} onClose={onClose} />
        </Alert>
      );
    case 'previewed':
      // The finding shows the values.
      return null;
    case 'decided':
      return (
        <Alert title="Decided" variant="success">
          <Text>{reply.what}</Text>
          {reply.kept?.map(({ property, reason }) => (
            <Text key={property}>{`${labelOf(property)} stays: ${reason}.`}</Text>
          ))}
          <Button onClick={onClose}>{BUTTONS.close}</Button>
        </Alert>
      );
    case 'refused':
      return (
        <Alert title="Not done" variant="warning">
          <Text>{reply.reason}</Text>
          <Button onClick={onClose}>{BUTTONS.close}</Button>
        </Alert>
      );
    case 'undone':
      return (
        <Alert title={NOTES.undone(reply.restored.length)} variant="success">
          {reply.kept.map(({ property, reason }) => (
            <Text key={property}>{`${labelOf(property)} was not restored: ${reason}.`}</Text>
          ))}
          {reply.next ? (
            <Offer quote={reply.next} onWish={onWish} onClose={onClose} />
          ) : (
            <Button onClick={onClose}>{BUTTONS.close}</Button>
          )}
        </Alert>
      );
  }
}

/** Labels of properties in HubSpot, for the properties that the card knows. */
function labelsOf(view: CardView | undefined): ReplyAlertProps['labelOf'] {
  const labels = new Map(view?.values.map(({ property, label }) => [property, label]));
  return (property) => labels.get(property) ?? property;
}

interface OfferProps extends Omit<ReplyAlertProps, 'reply' | 'labelOf'> {
  readonly quote: CardQuote;
}

/** Shows the price. Nothing is looked up before a person agrees to it. */
function Offer({ quote, onWish, onClose }: OfferProps) {
  const { questions, credits: maxCredits, reason, warning, waits } = quote;
  if (questions.length === 0)
    return (
      <>
        <Text>{reason ?? 'There is no question that could fill what is missing.'}</Text>
        <Button onClick={onClose}>{BUTTONS.close}</Button>
      </>
    );
  return (
    <>
      <Text>{priceOf(quote)}</Text>
      {warning === undefined ? null : <Text>{warning}</Text>}
      {waits === undefined ? null : <Text>{waits}</Text>}
      <Flex direction="row" gap="sm" wrap={true}>
        <Button variant="primary" onClick={() => onWish({ kind: 'enrich', maxCredits })}>
          {BUTTONS.spend(maxCredits)}
        </Button>
        <Button onClick={onClose}>{BUTTONS.notNow}</Button>
      </Flex>
    </>
  );
}
