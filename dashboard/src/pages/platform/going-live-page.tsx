import { Stack, Text } from '@mantine/core';
import { PageHead } from '../../ui/page-head';
import { LiveChecklist } from './live-checklist';
import { LiveDifferences } from './live-differences';
import { LiveProviders } from './live-providers';

/** What must be so before real money moves, and while it does. About live mode, whichever mode the address says. */
export function GoingLivePage() {
  return (
    <>
      <PageHead title="Going live" />
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          All of this is about live mode. Settings stand in the environment of the service, and a change of them counts
          once it is started again.
        </Text>
        <LiveChecklist />
        <LiveProviders />
        <LiveDifferences />
      </Stack>
    </>
  );
}
