import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, toMinorOrZero } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';

/** What a wallet is called, and from which balance on it warns. */
export function WalletSettings({ wallet }: { wallet: Schemas['Wallet'] }) {
  const { id, currency, label, low_balance_threshold: threshold } = wallet;
  const api = useApi();
  const [opened, { open, close }] = useDisclosure();
  const [invalid, setInvalid] = useState<string | null>(null);
  const change = useAction(
    (body: Schemas['UpdateWallet']) => api.PATCH('/v4/wallets/{id}', { params: { path: { id } }, body }),
    'Saved.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { label: name, below } = fieldsOf(event.currentTarget);
    const minor = below ? toMinorOrZero(below, currency) : null;
    const isWrong = Boolean(below) && minor === null;
    setInvalid(isWrong ? 'An amount, such as 250 or 250.50' : null);
    if (!isWrong) change.mutate({ label: name || null, low_balance_threshold: minor }, { onSuccess: close });
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Settings
      </Button>
      <Modal opened={opened} onClose={close} title="Settings">
        <form onSubmit={submit}>
          <Stack>
            <TextInput name="label" label="Label" maxLength={100} defaultValue={label ?? ''} data-autofocus />
            <TextInput
              name="below"
              label={`Warn below (${currency})`}
              description="An event tells when the balance falls below it. Empty: never"
              inputMode="decimal"
              defaultValue={threshold === null ? '' : amountText(threshold, currency)}
              error={invalid}
            />
            <ProblemAlert error={change.error} />
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
