import { NativeSelect } from '@mantine/core';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { useOutages } from '../../session/use-sandbox';
import { useScenarios } from './use-scenarios';
import { Tool } from './tool';

const api = publicApi('test');
const MODES = ['down', 'slow', 'flaky', 'none'] as const satisfies readonly Schemas['SetOutage']['mode'][];

export function OutageTool() {
  const { data } = useScenarios();
  const lasting = useOutages().map(({ provider, mode }) => `${provider} is ${mode}`);
  return (
    <Tool
      title="Provider outage"
      text={`Lasts until it is set to none. Only your account sees it. Now: ${lasting.join(', ') || 'none'}.`}
      button="Set"
      isRepeatable
      run={({ provider = '', mode }) =>
        bodyOf(api.POST('/v4/sandbox/providers/outage', { body: { provider, mode: mode as (typeof MODES)[number] } }))
      }
      done={({ provider, mode }) => `${provider}: ${mode}.`}
      result={({ provider, mode }) => `${provider} is now: ${mode}.`}
    >
      <NativeSelect name="provider" label="Provider" data={data?.providers ?? []} />
      <NativeSelect name="mode" label="Outage" data={[...MODES]} />
    </Tool>
  );
}
