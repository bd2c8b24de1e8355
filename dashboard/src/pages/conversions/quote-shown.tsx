import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/public-api';
import { Facts } from '../../ui/facts';
import { moneyText } from '../../ui/money';
import type { useSending } from '../../ui/use-sending';

const SECOND_MS = 1_000;

/** Seconds for which it is still good: counted here from when it came, since the account's test clock may be another. */
function useSecondsLeft({ created_at: made, expires_at: ends }: Schemas['Quote']): number {
  const [from] = useState(() => performance.now());
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPassed(performance.now() - from), SECOND_MS);
    return () => clearInterval(timer);
  }, [from]);
  return Math.max(0, Math.ceil((Date.parse(ends) - Date.parse(made) - passed) / SECOND_MS));
}

interface QuoteShownProps {
  readonly quote: Schemas['Quote'];
  readonly button: ReturnType<typeof useSending>['button'];
  readonly onConfirm: () => void;
}

/** What a conversion would do, for as long as the rate is promised. */
export function QuoteShown({ quote, button, onConfirm }: QuoteShownProps) {
  const left = useSecondsLeft(quote);
  const { from_currency: from, to_currency: to } = quote;
  return (
    <Stack gap="xs">
      <Facts
        items={[
          ['You sell', moneyText(quote.sell_amount, from)],
          ['Fee', moneyText(quote.fee, from)],
          ['Leaves the wallet', moneyText(quote.total, from)],
          ['You get', moneyText(quote.buy_amount, to)],
          ['Rate', `1 ${from} = ${quote.rate} ${to}`],
        ]}
      />
      <Group justify="space-between">
        <Text size="sm" role="timer">
          {left > 0 ? `Good for ${left} seconds` : 'It is not good any more: ask for another.'}
        </Text>
        <Button {...button} disabled={button.disabled || left === 0} onClick={onConfirm}>
          Convert it
        </Button>
      </Group>
    </Stack>
  );
}
