import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, publicApi } from '../../api/public-api';
import { timeTextIn } from '../../ui/time';
import { useTimeZone } from '../../ui/use-time-zone';
import { Tool } from './tool';

const api = publicApi('test');
const STEPS = [
  { value: '60', label: 'One minute' },
  { value: '600', label: 'Ten minutes' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
];

/** The account's own clock: requeries, retries and expiries go by it. */
export function ClockTool() {
  const timeZone = useTimeZone() ?? 'UTC';
  const { data } = useQuery({ queryKey: ['test', 'clock'], queryFn: () => bodyOf(api.GET('/v4/sandbox/clock')) });
  return (
    <Tool
      title="Clock"
      text={`Your test clock shows ${data ? timeTextIn(timeZone, data.now) : '…'}. It only goes forward.`}
      button="Advance"
      isRepeatable
      run={({ seconds }) => bodyOf(api.POST('/v4/sandbox/clock/advance', { body: { seconds: Number(seconds) } }))}
      done={({ now }) => `The clock shows ${timeTextIn(timeZone, now)}.`}
    >
      <NativeSelect name="seconds" label="By" data={STEPS} />
    </Tool>
  );
}
