import { Alert, Button, Flex, LoadingSpinner, Text } from '@hubspot/ui-extensions';
import type { CardQuote, CardReply, CardStanding, Wish } from './service.ts';
import type { CardState } from './use-record.ts';
import { credits, priceOf, said } from './words.ts';

const UNDER_WAY: Readonly<Record<Wish['kind'], string>> = {
  quote: 'Working out the price',
  enrich: 'Enriching',
  undo: 'Undoing',
  'wrong-match': 'Undoing what the answer wrote',
};

/** What became of the last request. */
export function Answer({ state }: { readonly state: CardState }) {
  const { asked, wish, dismiss } = state;
  switch (asked.kind) {
    case 'nothing':
      return null;
    case 'under-way':
      return <LoadingSpinner label={UNDER_WAY[asked.wish.kind]} showLabel={true} />;
    case 'slow':
      return (
        <Alert title="It continues" variant="info">
          <Text>It takes longer than a minute. Look again later: nothing is lost.</Text>
          <Button onClick={state.look}>Look again</Button>
        </Alert>
      );
    case 'failed':
      return (
        <Alert title="It could not be asked" variant="error">
          <Text>{asked.why}</Text>
          <Button onClick={dismiss}>Close</Button>
        </Alert>
      );
    case 'answered': {
      const { standing, reply } = asked.progress;
      if (reply) return <Told reply={reply} onWish={wish} onClose={dismiss} />;
      return standing ? <Ended standing={standing} onClose={dismiss} /> : null;
    }
  }
}

function Ended({ standing, onClose }: { readonly standing: CardStanding; readonly onClose: () => void }) {
  const { word, variant, why } = said(standing);
  const spent = standing.kind === 'ended' ? ` ${credits(standing.outcome.credits)}.` : '';
  return (
    <Alert title={word} variant={variant === 'default' ? 'info' : variant}>
      <Text>{`${why}${spent}`}</Text>
      <Button onClick={onClose}>Close</Button>
    </Alert>
  );
}

interface ToldProps {
  readonly reply: CardReply;
  readonly onWish: (wish: Wish) => void;
  readonly onClose: () => void;
}

function Told({ reply, onWish, onClose }: ToldProps) {
  switch (reply.kind) {
    case 'quoted':
      return <Offer quote={reply.quote} title="The price" onWish={onWish} onClose={onClose} />;
    case 'refused':
      return (
        <Alert title="Not done" variant="warning">
          <Text>{reply.reason}</Text>
          <Button onClick={onClose}>Close</Button>
        </Alert>
      );
    case 'undone':
      return (
        <>
          <Alert title={undoneTitle(reply.restored.length)} variant="success">
            {reply.kept.map(({ property, reason }) => (
              <Text key={property}>{`${property} stays: ${reason}.`}</Text>
            ))}
            {reply.next ? null : <Button onClick={onClose}>Close</Button>}
          </Alert>
          {reply.next ? (
            <Offer quote={reply.next} title="Ask something else" onWish={onWish} onClose={onClose} />
          ) : null}
        </>
      );
  }
}

function undoneTitle(count: number): string {
  if (count === 0) return 'Nothing of ours was left to undo';
  return count === 1 ? '1 value brought back' : `${count} values brought back`;
}

interface OfferProps extends Omit<ToldProps, 'reply'> {
  readonly quote: CardQuote;
  readonly title: string;
}

/** The price comes first: nothing is asked before somebody agrees to it. */
function Offer({ quote, title, onWish, onClose }: OfferProps) {
  const { questions, credits: maxCredits, reason } = quote;
  if (questions.length === 0)
    return (
      <Alert title="Nothing to ask" variant="info">
        <Text>{reason ?? 'There is no question that could fill what is missing.'}</Text>
        <Button onClick={onClose}>Close</Button>
      </Alert>
    );
  return (
    <Alert title={title} variant="info">
      <Text>{priceOf(quote)}</Text>
      <Flex direction="row" gap="sm">
        <Button variant="primary" onClick={() => onWish({ kind: 'enrich', maxCredits })}>
          {maxCredits === 0 ? 'Use it' : `Spend at most ${credits(maxCredits)}`}
        </Button>
        <Button onClick={onClose}>Not now</Button>
      </Flex>
    </Alert>
  );
}
