/**
 * With `CELLS=3`: files that are about one process and run as without it, and tests (`file: name`) that ask their own
 * cell instead of another; and why.
 */
export const OF_ONE_PROCESS: Readonly<Record<string, string>> = {
  'alerts.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'card-secrecy.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'client-cli.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'data-import.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'database-schema.e2e-spec.ts': 'starts services of its own in one database, which is one cell',
  'going-live-guide.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'process-order.e2e-spec.ts': 'notes in which order parts of its process start, where the other cell starts, too',
  'tracing.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'dashboard-live-stream.e2e-spec.ts: streams are no slow requests: each is counted when it begins, and is not in flight':
    'counts requests in flight in its process, where those of the other cell count, too',
  'dashboard-roles.e2e-spec.ts: the team is joined by a link that is good once':
    'a made-up link is of another cell, and what was sent on once is not sent on again',
  'docs-site.e2e-spec.ts: the site in a browser fills in the wallet and a new key of who is signed in, for this tab only':
    'signs somebody up: what is of people is replicated between cells, and here nothing does that',
  'event-follow.e2e-spec.ts': 'takes its database to another server, where it is the same cell once more',
  'purchase-callbacks.e2e-spec.ts: nothing comes of a callback of another provider than the order was sent to, or about no order of ours':
    'a made-up reference is of another cell, and what was sent on once is not sent on again',
  'webhooks-listen.e2e-spec.ts': 'starts processes of its own on the database of the file',
  'webhook-restore.e2e-spec.ts': 'takes its database to another server, where it is the same cell once more',
  'extensions.e2e-spec.ts': 'looks at the display of money of its process, where the other cell lives, too',
  'hostile/hang-ups.e2e-spec.ts': 'counts requests in flight in its process, where those of the other cell count, too',
};
