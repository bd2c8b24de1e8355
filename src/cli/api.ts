import { encodeId } from '../core/http/ids';
import type { Lifetime } from '../core/process/lifetime';
import { RetiredCalls } from '../core/request-log/retired-calls';
import { DukaCommand, modeOf } from './commands';
import { days as daysOf } from './options';

const DAYS = 30;

export const apiCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('api:deprecated', lifetime)
    .description('list what of the API is retired, and who still calls it, by the request log')
    .option('--days <n>', 'how far back to look', daysOf, DAYS)
    .does<{ days: number }>(async (session, { days }) => {
      const retired = await (await session.app()).get(RetiredCalls, { strict: false }).list(days);
      const json = retired.map(({ callers, ...route }) => ({
        ...route,
        callers: callers.map(({ accountId, keyId, livemode, calls, lastAt }) => ({
          account_id: encodeId('acct', accountId),
          key_id: keyId && encodeId('key', keyId),
          livemode,
          calls,
          last_at: lastAt,
        })),
      }));
      const lines = json.flatMap(({ method, route, field, sunset, callers }) => [
        `${method} ${route}${field ? `, field ${field}` : ''}: ends on ${sunset}`,
        ...callers.map(({ account_id: id, livemode, key_id: key, calls, last_at: last }) =>
          [`  ${id}`, modeOf(livemode), key ?? 'the dashboard', `${calls} calls, last at ${last.toISOString()}`].join(
            '  ',
          ),
        ),
      ]);
      return { text: lines.join('\n') || 'Nothing of the API is retired.', json: { retired: json } };
    }),
];
