import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useLivemode } from '../../ui/use-mode';

export type Approval = DashboardSchemas['NeededApproval'];
type Decision = DashboardSchemas['Decide']['decision'];

export const isRefund = ({ type }: Approval['transaction']): boolean => type === 'payment_refund';

/** The buttons of a second person. Whoever asked for it may only take it back. */
export function Decide({ approval }: { approval: Approval }) {
  return (
    <Group gap="xs">
      {!approval.is_mine && <DecisionButton approval={approval} decision="approved" />}
      <DecisionButton approval={approval} decision="declined" />
    </Group>
  );
}

const WORDS = {
  approved: { verb: 'Approve', done: 'Approved: it goes out.' },
  declined: { verb: 'Decline', done: 'Declined: the money is free again.' },
};

/** For whom, in words. */
const toWhom = ({ details }: Approval['transaction']): string =>
  details.account_name
    ? `to ${String(details.account_name)}`
    : `to the payer of ${String(details.payment_reference ?? details.payment_id)}`;

function DecisionButton({
  approval: { transaction, made_by: maker },
  decision,
}: {
  approval: Approval;
  decision: Decision;
}) {
  const livemode = useLivemode();
  const [opened, { open, close }] = useDisclosure();
  const { verb, done } = WORDS[decision];
  const decide = useAction(
    (reason: string | null) =>
      bodyOf(
        dashboardApi.POST('/approvals/{id}/decide', {
          params: { path: { id: transaction.id ?? '' }, query: { livemode } },
          body: { decision, reason },
        }),
      ),
    done,
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    decide.mutate(fieldsOf(event.currentTarget).reason || null, { onSuccess: close });
  }
  return (
    <>
      <Button size="compact-sm" variant={decision === 'approved' ? 'filled' : 'default'} onClick={open}>
        {verb}
      </Button>
      <Modal opened={opened} onClose={close} title={`${verb} this ${isRefund(transaction) ? 'refund' : 'payout'}?`}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              {moneyText(transaction.amount, transaction.currency)} {toWhom(transaction)}, asked for by{' '}
              {maker ? `${maker.name} (${maker.email})` : 'an API key'}.
            </Text>
            <Textarea
              name="reason"
              label="Reason"
              description="In the audit log, and shown with it"
              required={decision === 'declined'}
              maxLength={200}
              data-autofocus
            />
            <ProblemAlert error={decide.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={decide.isPending} color={decision === 'declined' ? 'red' : undefined}>
                {verb}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
