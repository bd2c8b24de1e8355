import { Modal, type ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';

/**
 * A dialog whose chunk is loaded when somebody opens it. It opens after it was mounted: only an opening that it sees
 * tells it where the focus was, and goes back to.
 */
export function Dialog({ opened, ...props }: ModalProps) {
  const mounted = useMounted();
  return <Modal {...props} opened={mounted && opened} />;
}
