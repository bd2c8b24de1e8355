import { ExtensionRegistry } from '../core/extension/extension-registry';
import type { Lifetime } from '../core/process/lifetime';
import { DukaCommand } from './commands';

export const extensionCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('extension:list', lifetime)
    .description('list the hooks and filters of internal teams, point by point in the order in which they run')
    .does(async (session) => {
      const handlers = (await session.app())
        .get(ExtensionRegistry)
        .all.map(({ id, point, rules, priority, timeoutMs, isShadow, operations, place }) => ({
          id,
          point,
          kind: rules.kind,
          priority,
          timeout_ms: timeoutMs,
          mode: isShadow ? 'shadow' : 'active',
          operations,
          place,
        }));
      const inOrder = handlers.toSorted((a, b) => (a.point === b.point ? 0 : a.point < b.point ? -1 : 1));
      const lines = inOrder.map(({ point, priority, id, mode, operations, place }) =>
        [
          point.padEnd(20),
          String(priority).padStart(4),
          id,
          mode === 'shadow' ? '(shadow)' : '',
          `${place},`,
          operations?.join(', ') ?? 'all operations',
        ]
          .filter(Boolean)
          .join('  '),
      );
      return { text: lines.join('\n') || 'There are no extensions.', json: { extensions: inOrder } };
    }),
];
