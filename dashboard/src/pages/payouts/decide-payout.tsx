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

export type Approval = DashboardSchemas['PayoutApproval'];
type Decision = DashboardSchemas['DecidePayout']['decision'];

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
  approved: { verb: 'Approve', question: 'Approve this payout?', done: 'Approved: it goes out.' },
  declined: { verb: 'Decline', question: 'Decline this payout?', done: 'Declined: the money is free again.' },
};

function DecisionButton({
  approval: { payout, made_by: maker },
  decision,
}: {
  approval: Approval;
  decision: Decision;
}) {
  const livemode = useLivemode();
  const [opened, { open, close }] = useDisclosure();
  const { verb, question, done } = WORDS[decision];
  const decide = useAction(
    (reason: string | null) =>
      bodyOf(
        dashboardApi.POST('/payouts/{id}/decide', {
          params: { path: { id: payout.id ?? '' }, query: { livemode } },
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
      <Modal opened={opened} onClose={close} title={question}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              {moneyText(payout.amount, payout.currency)} to {String(payout.details.account_name)}, asked for by{' '}
              {maker ? `${maker.name} (${maker.email})` : 'an API key'}.
            </Text>
            <Textarea
              name="reason"
              label="Reason"
              description="In the audit log, and shown with the payout"
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
