import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { NotSent } from '../../api/problem';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, moneyText, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useScenarios } from '../sandbox/use-scenarios';

type Body = Schemas['CreateDispute'];

/** Total, and in words: what the API calls the reasons. */
const REASONS: Readonly<Record<Body['reason'], string>> = {
  not_received: 'It never came',
  fraudulent: 'Somebody else paid it',
  duplicate: 'It was paid twice',
  incorrect_amount: 'The amount is wrong',
  cancelled: 'It was cancelled',
  defective: 'It is defective, or not as described',
  other: 'Something else',
};
const TEXT_MAX = 4_000;

export const reasonText = (reason: Body['reason']): string => REASONS[reason];

interface DisputeFormProps {
  readonly use: Schemas['CardTransaction'];
  /** Minor units that can be disputed. */
  readonly left: number;
  readonly onDone: () => void;
}

/** What of a payment is not accepted, and why. The card's issuer decides. */
export function DisputeForm({ use: { id, currency }, left, onDone }: DisputeFormProps) {
  const mode = useMode();
  const api = useApi();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const dispute = useSending(
    `dispute ${id}`,
    async (fields: Record<string, string>, key) =>
      bodyOf(
        api.POST('/v4/card-transactions/{id}/disputes', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: bodyFrom(fields, currency),
        }),
      ),
    ({ status }) => `The dispute is ${status.replaceAll('_', ' ')}.`,
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    dispute.mutate(fieldsOf(event.currentTarget), {
      onSuccess: (made) => void navigate({ to: '/$mode/cards/disputes/$id', params: { mode, id: made.id ?? '' } }),
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          name="reason"
          label="Reason"
          data={Object.entries(REASONS).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          name="amount"
          label={`Amount (${currency})`}
          description={`Up to ${moneyText(left, currency)}: what the merchant has, and is not in dispute.`}
          defaultValue={amountText(left, currency)}
          inputMode="decimal"
          required
        />
        {mode === 'test' && <Outcome onPick={setText} />}
        <Textarea
          name="text"
          label="What happened"
          description="Handed to the issuer as it is."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          minRows={3}
          autosize
          maxLength={TEXT_MAX}
          required
        />
        <Textarea
          name="links"
          label="Documents"
          description="Addresses (https) of receipts and letters, one a line, at most ten. Nobody here opens them."
          minRows={2}
          autosize
        />
        <Text size="sm">An issuer takes weeks to decide. What it credits until then can be taken back.</Text>
        <SendingAlert sending={dispute} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" {...dispute.button}>
            Open the dispute
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What the sandbox's issuer does, by the text. */
function Outcome({ onPick }: { onPick: (text: string) => void }) {
  const { data } = useScenarios();
  return (
    <NativeSelect
      label="In test mode, play"
      data={[
        { value: '', label: 'a text of your own: it is won' },
        ...(data?.disputes ?? []).map(({ evidence, description }) => ({
          value: evidence,
          label: `${evidence}: ${description}`,
        })),
      ]}
      onChange={(event) => onPick(event.currentTarget.value)}
    />
  );
}

function bodyFrom({ reason, amount = '', text = '', links = '' }: Record<string, string>, currency: string): Body {
  const minor = toMinor(amount, currency);
  if (minor === null) throw new NotSent('Enter an amount above zero, such as 12.50.');
  const known = (Object.keys(REASONS) as Body['reason'][]).find((word) => word === reason) ?? 'other';
  const addresses = links.split(/\s+/).filter(Boolean);
  return { reason: known, amount: minor, evidence: { text, links: addresses.length > 0 ? addresses : null } };
}
