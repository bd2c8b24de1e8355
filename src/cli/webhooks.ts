import type { Lifetime } from '../core/process/lifetime';
import { type Forwarded, WebhookListener } from '../modules/webhooks/webhook-listener.service';
import { DukaCommand } from './commands';
import { idOf, list } from './options';

interface ListenOptions {
  account: string;
  forwardTo: string;
  events: string[];
  json?: boolean;
}

export const webhookCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('webhooks:listen', lifetime)
    .description("post an account's events of test mode to a receiver under development, until Ctrl-C")
    .requiredOption('--account <id>', 'whose events (acct_…)', idOf('acct'))
    .requiredOption('--forward-to <url>', 'the receiver, such as http://127.0.0.1:4000/events')
    .option('--events <list>', 'types and patterns, comma-separated, such as transaction.*,wallet.credited', list, [
      '*',
    ])
    .does<ListenOptions>(async (session, { account, forwardTo, events, json = false }) => {
      // Whoever types this command chooses the address.
      session.env.WEBHOOK_ALLOW_PRIVATE_NETWORKS = true;
      const listener = await (
        await session.app()
      )
        .get(WebhookListener, { strict: false })
        .open({ accountId: account, patterns: events, url: forwardTo });
      lifetime.isService = true;
      const end = new AbortController();
      await lifetime.own(Promise.resolve(end), async (controller) => controller.abort());
      const ready = `Secret  ${listener.secret}\n\nForwarding ${events.join(', ')} to ${forwardTo}. Ctrl-C ends it.`;
      console.log(json ? JSON.stringify({ secret: listener.secret }) : ready);
      let count = 0;
      for await (const forwarded of listener.forward(end.signal)) {
        console.log(json ? JSON.stringify(jsonOf(forwarded)) : lineOf(forwarded));
        count++;
      }
      return { text: `${count} events were forwarded.`, json: { forwarded: count } };
    }),
];

const lineOf = ({ id, type, attempted: { code, httpStatus, durationMs } }: Forwarded): string =>
  [id, type.padEnd(24), httpStatus ?? '---', code, `${durationMs} ms`].join('  ');

const jsonOf = ({ id, type, attempted: { code, httpStatus, durationMs } }: Forwarded) => ({
  id,
  type,
  code,
  http_status: httpStatus,
  duration_ms: durationMs,
});
