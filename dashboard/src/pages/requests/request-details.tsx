import { Drawer, Stack, Text } from '@mantine/core';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { JsonBlock } from '../../ui/copy-field';
import { Facts } from '../../ui/facts';
import { timeText } from '../../ui/time';

interface RequestDetailsProps {
  readonly request: DashboardSchemas['LoggedRequest'] | null;
  readonly onClose: () => void;
}

export function RequestDetails({ request, onClose }: RequestDetailsProps) {
  return (
    <Drawer
      opened={request !== null}
      onClose={onClose}
      position="right"
      title={request ? `${request.method} ${request.path}` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {request && (
        <Stack>
          <Facts
            items={[
              [
                'Request',
                <span key="id" className="id">
                  {request.id}
                </span>,
              ],
              [
                'Status',
                `${request.status}${request.handled_status === null ? '' : ` (the client had gone; handled as ${request.handled_status})`}${request.error_code ? ` ${request.error_code}` : ''}`,
              ],
              ['Took', `${request.duration_ms} ms`],
              ['Route', request.route],
              ['Key', request.key_last4 ? `…${request.key_last4}` : 'this page'],
              ['Replayed', request.replayed ? 'yes' : 'no'],
              ['From', request.ip],
              ['Program', request.user_agent],
              ['At', timeText(request.created_at)],
            ]}
          />
          {request.request_body === null ? (
            <Text c="dimmed">No body.</Text>
          ) : (
            <JsonBlock label="Body of the request, redacted" value={request.request_body} />
          )}
        </Stack>
      )}
    </Drawer>
  );
}
