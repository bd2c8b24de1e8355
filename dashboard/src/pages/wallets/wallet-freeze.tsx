import { Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import type { Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { dayStartIn } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';

type Direction = Schemas['WalletFreeze']['direction'];

const DIRECTIONS: readonly { value: Direction; label: string }[] = [
  { value: 'debit', label: 'pays nothing, still takes money' },
  { value: 'credit', label: 'takes nothing, still pays' },
  { value: 'both', label: 'neither pays nor takes money' },
];

/** Stops what leaves a wallet, what arrives, or both; for a while, or until somebody ends it. */
export function FreezeWallet({ wallet: { id, freezes } }: { wallet: Schemas['Wallet'] }) {
  const api = useApi();
  const timeZone = useTimeZone();
  const [opened, { open, close }] = useDisclosure();
  const own = freezes.find(({ by }) => by === 'owner');
  const freeze = useAction(
    (body: Schemas['FreezeWallet']) => api.POST('/v4/wallets/{id}/freeze', { params: { path: { id } }, body }),
    'The wallet is frozen.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { direction, reason, until } = fieldsOf(event.currentTarget);
    const body = {
      direction: direction as Direction,
      reason: reason || null,
      until: (timeZone && dayStartIn(timeZone, until)) ?? null,
    };
    freeze.mutate(body, { onSuccess: close });
  }
  const verb = own ? 'Change the freeze' : 'Freeze';
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title="Freeze this wallet?">
        <form onSubmit={submit}>
          <Stack>
            <NativeSelect
              name="direction"
              label="Until it is unfrozen it"
              data={[...DIRECTIONS]}
              defaultValue={own?.direction}
            />
            <Textarea name="reason" label="Reason" maxLength={200} defaultValue={own?.reason ?? ''} />
            <TextInput
              name="until"
              type="date"
              label="Ends by itself at the start of"
              description={`By the clocks of ${timeZone ?? 'the account'}. Empty: when somebody ends it`}
            />
            <ProblemAlert error={freeze.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={freeze.isPending}>
                {verb}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
