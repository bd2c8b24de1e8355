import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/use-may';
import { ButtonLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { useMode } from '../../ui/use-mode';
import { CardTool } from './card-tool';
import { ClockTool } from './clock-tool';
import { CreditTool } from './credit-tool';
import { EventTool } from './event-tool';
import { OutageTool } from './outage-tool';
import { PaymentTool } from './payment-tool';
import { Recipes } from './recipe-list';
import { ResetTool } from './reset-tool';
import { Scenarios } from './scenarios';
import { SettleTool } from './settle-tool';

/** Makes happen what otherwise only customers, operators and time do. */
export function SandboxPage() {
  const { hasScope } = useMay();
  if (useMode() === 'live') {
    return (
      <>
        <PageHead title="Sandbox" />
        <Text mb="md">Nothing can be simulated with real money.</Text>
        <ButtonLink to="/$mode/sandbox" params={{ mode: 'test' }}>
          Go to the sandbox
        </ButtonLink>
      </>
    );
  }
  if (!hasScope('sandbox:write')) {
    return (
      <>
        <PageHead title="Sandbox" />
        <Text>Your role changes nothing in the sandbox.</Text>
      </>
    );
  }
  return (
    <>
      <PageHead title="Sandbox">
        <ResetTool />
      </PageHead>
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
          <CreditTool />
          <ClockTool />
          <OutageTool />
          <SettleTool />
          <EventTool />
          <CardTool />
          <PaymentTool />
        </SimpleGrid>
        <section aria-labelledby="recipes-title">
          <Title order={2} size="h3" id="recipes-title" mb="xs">
            Recipes
          </Title>
          <Recipes />
        </section>
        <section aria-labelledby="scenarios-title">
          <Title order={2} size="h3" id="scenarios-title" mb="xs">
            Magic values
          </Title>
          <Scenarios />
        </section>
      </Stack>
    </>
  );
}
