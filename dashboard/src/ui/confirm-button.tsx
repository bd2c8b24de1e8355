import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';
import { useAction } from './use-action';

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  readonly question: string;
  readonly explanation: ReactNode;
  readonly done: string;
  readonly work: () => Promise<unknown>;
}

/** A button of something that cannot, or not easily, be undone. */
export function ConfirmButton({ label, question, explanation, done, work, ...button }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  const action = useAction(work, done);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} {...button}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={question}>
        <Stack>
          <Text size="sm" component="div">
            {explanation}
          </Text>
          <ProblemAlert error={action.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button
              color="red"
              loading={action.isPending}
              onClick={() => action.mutate(undefined, { onSuccess: close })}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
