import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { attemptKey, bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { fieldsOf } from '../../ui/form-fields';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useCheck } from '../../ui/use-check';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import type { WalletRow } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { type Batch, KINDS } from './batch-parts';
import { CheckedBatch } from './checked-batch';
import { CsvField } from './csv-field';

type Order = Schemas['CreateBatch'];

export function NewBatchPage() {
  const { hasScope } = useMay();
  if (!hasScope('batches:write')) return <Text>Your role may look at batches, but not make one.</Text>;
  return <NewBatch />;
}

/** Orders from a file: checked first, and started when a person has seen what it would do. */
function NewBatch() {
  const mode = useMode();
  const api = useApi();
  const navigate = useNavigate();
  const [order, setOrder] = useState<Order | null>(null);
  const [startable, setStartable] = useState(false);
  const check = useCheck((body: Order) =>
    bodyOf(
      api.POST('/v4/batches', {
        params: { header: { 'Idempotency-Key': attemptKey() } },
        body: { ...body, reference: null, dry_run: true },
      }),
    ),
  );
  const sending = useSending(
    'batch',
    (body: Order, key) => bodyOf(api.POST('/v4/batches', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The batch is started.',
  );
  const start = (body: Order) =>
    sending.mutate(body, {
      onSuccess: ({ id }) => void navigate({ to: '/$mode/batches/$id', params: { mode, id: id ?? '' } }),
    });
  const look = (body: Order) => {
    setOrder(body);
    setStartable(false);
    check.mutate(body);
  };
  const forget = () => {
    setOrder(null);
    check.reset();
  };
  return (
    <Stack>
      <PageHead title="New batch">
        <AnchorLink to="/$mode/batches" params={{ mode }}>
          All batches
        </AnchorLink>
      </PageHead>
      <OrderFields busy={check.isPending} onCheck={look} onChange={forget} />
      <ProblemAlert error={check.error} />
      {check.data && order && (
        <CheckedBatch
          key={check.data.id ?? 'preview'}
          checked={check.data}
          skipsInvalid={order.skip_invalid === true}
          onJudged={setStartable}
        />
      )}
      <SendingAlert sending={sending} />
      {order && startable && (
        <Group>
          <Button {...sending.button} onClick={() => start(order)}>
            Start the batch
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface OrderFieldsProps {
  readonly busy: boolean;
  readonly onCheck: (order: Order) => void;
  /** What was checked is not what is there any more. */
  readonly onChange: () => void;
}

function OrderFields({ busy, onCheck, onChange }: OrderFieldsProps) {
  const [kind, setKind] = useState<Batch['kind']>('payout');
  const [csv, setCsv] = useState('');
  const [wallet, setWallet] = useState<WalletRow | null>(null);
  const setText = (text: string) => {
    setCsv(text);
    onChange();
  };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { reference, skip, on_error } = fieldsOf(event.currentTarget);
    onCheck({
      kind,
      csv,
      wallet_id: wallet?.id ?? null,
      on_error: on_error as Batch['on_error'],
      skip_invalid: skip === 'on',
      reference: reference || null,
    });
  }
  return (
    <form onSubmit={submit} onChange={onChange}>
      <Stack>
        <Group align="flex-start">
          <NativeSelect
            label="What each row is"
            value={kind}
            data={[...KINDS]}
            onChange={(event) => setKind(event.currentTarget.value as Batch['kind'])}
          />
          <WalletPicker
            label="Paid by"
            wanted={{ status: 'active' }}
            picked={wallet}
            onPick={setWallet}
            otherwise="the wallet that each row names"
          />
          <NativeSelect
            name="on_error"
            label="When a row fails"
            data={[
              { value: 'continue', label: 'the others go on' },
              { value: 'stop', label: 'none is begun after it' },
              ...(kind === 'transfer' ? [{ value: 'all_or_nothing', label: 'nothing happens at all' }] : []),
            ]}
          />
          <TextInput name="reference" label="Reference" description="Your own id of it" pattern="[A-Za-z0-9._:\-]+" />
        </Group>
        <CsvField kind={kind} value={csv} onChange={setText} />
        <Checkbox name="skip" label="Leave rows that are not valid out, instead of starting none" />
        <Group>
          <Button type="submit" loading={busy}>
            Check it
          </Button>
          <Text size="sm" c="dimmed">
            All rows are read and priced. Nothing is sent.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
